#!lua flags=no-writes
--[[
  push_facts - push subscriptions that push_sweep.lua would end

  KEYS[1]  subscriptions  HASH  of an account, see push_subscribe.lua
  KEYS[2]  tokens         HASH  of the account; the ids of those of a suspended account have a '!' before them

  Returns  a number for each: the id of the subscription, 0 for one that cannot be read
]]
--#include push_is_good
local wrong = {}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  if not push_is_good(KEYS[2], all[i], all[i + 1]) then
    table.insert(wrong, string.match(all[i + 1], '^(%d+) ') or '0')
  end
end
return wrong
