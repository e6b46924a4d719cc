#!lua
--[[
  login_good - a password was right: the address is known from now on

  KEYS     as login_try
  ARGV[1]  how long the address stays known, ms

  Returns  1
  Holds    strangers' tries are not forgotten because the owner logs in: the success takes back its own try only
]]
local strangers, own = KEYS[1], KEYS[2]

local try = redis.call('HMGET', own, 'known', 'spare')
if not try[1] and not try[2] and redis.call('EXISTS', strangers) == 1 then
  if redis.call('HINCRBY', strangers, 'tries', -1) <= 0 then
    redis.call('DEL', strangers)
  else
    redis.call('HSET', strangers, 'next', 0)
  end
end
redis.call('DEL', own)
redis.call('HSET', own, 'known', 1)
redis.call('PEXPIRE', own, ARGV[1])
return 1
