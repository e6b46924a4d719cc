#!lua
--[[
  factor_enable - enable a second factor whose first code was right

  KEYS[1]  factor:{s}:u  HASH
  KEYS[2]  user:{s}:u    HASH
  KEYS[3]  tokens:{s}:u  HASH
  ARGV[1]  now           epoch s
  ARGV[2]  secret        sealed, as it was read
  ARGV[3]  step          time step of the code
  ARGV[4]  token         that asks for it
  ARGV[5..]              digests of the recovery codes

  Returns  1, or 0 when another secret waits, the factor is enabled, or the token has ended: then nothing is changed
  Holds    in one step: log-ins need a code, pwrev goes up, so that what was proven with the password alone is worth no token, and the token has confirmed itself
]]
--#include confirm_token
local factor, user, tokens = KEYS[1], KEYS[2], KEYS[3]
local now, secret, step, token = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local kept, on = unpack(redis.call('HMGET', factor, 'secret', 'on'))
if kept ~= secret or on or redis.call('HEXISTS', tokens, token) == 0 then
  return 0
end
redis.call('DEL', factor)
redis.call('HSET', factor, 'secret', secret, 'on', now, 'step', step)
for i = 5, #ARGV do
  redis.call('HSET', factor, 'code:' .. ARGV[i], '1')
end
redis.call('HSET', user, 'factor', '1')
redis.call('HINCRBY', user, 'pwrev', 1)
confirm_token(tokens, token, ARGV[1])
return 1
