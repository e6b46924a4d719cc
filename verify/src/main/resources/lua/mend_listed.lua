#!lua flags=allow-oom
--[[
  mend_listed - take an account off a list that there is not, or that has it without its being followed

  KEYS[1]  lists      HASH  of the owner: list id to what it is
  KEYS[2]  listed     ZSET  of the owner: see lib/listed.lua
  KEYS[3]  following  ZSET  of the owner: account id by edge id
  KEYS[4]  user       HASH  of the owner
  ARGV[1]  now              ms, empty = the server's clock
  ARGV[2]  owner
  ARGV[3]  member           of listed

  Returns  nothing
  Holds    who is on a list is followed by its owner, or is the owner
]]
--#include now
--#include bump
local lists, set, following, user = unpack(KEYS)
local owner, member = ARGV[2], ARGV[3]

local list, other = string.match(member, '^0*(%d+) 0*(%d+)$')
if list and redis.call('HEXISTS', lists, list) == 1 and (other == owner or redis.call('ZSCORE', following, other)) then
  return
end
redis.call('ZREM', set, member)
bump(user, now_ms(ARGV[1]))
