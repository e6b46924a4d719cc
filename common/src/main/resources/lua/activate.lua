#!lua
--[[
  activate - the last step of a sign-up: the account is there for everybody

  KEYS[1]  user:{s}:u  HASH

  Returns  1, or 0 when it is pending no more: then nothing is changed
  Holds    whoever finishes a sign-up late lifts no suspension
]]
local user = KEYS[1]

if redis.call('HGET', user, 'state') ~= 'pending' then
  return 0
end
redis.call('HSET', user, 'state', 'active')
return 1
