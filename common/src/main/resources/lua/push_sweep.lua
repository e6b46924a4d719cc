#!lua flags=allow-oom
--[[
  push_sweep - end the push subscriptions whose access tokens have ended, and what cannot be read

  KEYS[1]  subscriptions  HASH  of an account, see push_subscribe.lua
  KEYS[2]  tokens         HASH  of the account; the ids of those of a suspended account have a '!' before them

  Returns  how many have ended
]]
--#include push_is_good
local ended = 0
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  if not push_is_good(KEYS[2], all[i], all[i + 1]) then
    ended = ended + redis.call('HDEL', KEYS[1], all[i])
  end
end
return ended
