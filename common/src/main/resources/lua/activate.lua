#!lua
--[[
  activate - the last step of a sign-up: the account is there for everybody, and for ever

  KEYS[1]  user:{s}:u  HASH

  Returns  1; 0 when its sign-up is over: then nothing is changed; -1 when there is no such account
  Holds    whoever finishes a sign-up late lifts no suspension
]]
local user = KEYS[1]

local state = redis.call('HGET', user, 'state')
if not state then
  return -1
end
-- Older versions call it pending.
if state ~= 'joining' and state ~= 'pending' then
  return 0
end
redis.call('HSET', user, 'state', 'active')
redis.call('PERSIST', user)
return 1
