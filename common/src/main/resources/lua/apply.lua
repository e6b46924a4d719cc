#!lua
--[[
  apply - the last step of a sign-up that needs approval: the account waits for a moderator

  KEYS[1]  user  HASH  its field wait: how long it waits, s

  Returns  1; 0 when its sign-up is over: then nothing is changed; -1 when there is no such account
  Holds    an account that nobody decides about goes by itself; whoever finishes a sign-up late takes no approval back
]]
local user = KEYS[1]

local state, wait = unpack(redis.call('HMGET', user, 'state', 'wait'))
if not state then
  return -1
end
if state ~= 'applying' then
  return 0
end
redis.call('HSET', user, 'state', 'applied')
redis.call('EXPIRE', user, wait)
return 1
