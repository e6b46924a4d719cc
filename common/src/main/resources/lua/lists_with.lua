#!lua flags=no-writes
--[[
  lists_with - the lists of an account that have another one on them

  KEYS[1]  lists   HASH  of the owner: list id to '<replies> <exclusive> <title>'
  KEYS[2]  listed  ZSET  of the owner: see lib/listed.lua
  ARGV[1]  account

  Returns  {list id, what it is, and so on}
]]
--#include listed
local all, found = redis.call('HGETALL', KEYS[1]), {}
for i = 1, #all, 2 do
  if redis.call('ZSCORE', KEYS[2], listed(all[i], ARGV[1])) then
    found[#found + 1] = all[i]
    found[#found + 1] = all[i + 1]
  end
end
return found
