#!lua
--[[
  factor_begin - keep the secret of a second factor until its first code comes

  KEYS[1]  factor:{s}:u  HASH
  ARGV[1]  secret, sealed
  ARGV[2]  seconds that it waits

  Returns  1, or 0 when the account has a second factor: then nothing is changed
  Holds    a secret that is not enabled ends by itself
]]
local factor, secret, life = KEYS[1], ARGV[1], ARGV[2]

if redis.call('HEXISTS', factor, 'on') == 1 then
  return 0
end
redis.call('HSET', factor, 'secret', secret)
redis.call('EXPIRE', factor, life)
return 1
