#!lua flags=allow-oom
--[[
  factor_remove - remove the second factor of an account for its operator

  KEYS[1]  factor:{s}:u  HASH
  KEYS[2]  user:{s}:u    HASH
  ARGV[1]  now           ms, empty = the server's clock

  Returns  1, or 0 when there is none: then nothing is changed
  Holds    in one step: log-ins need no code, pwrev goes up, so that no log-in that was begun before ends with one, and the account can see when it happened
]]
--#include now
local factor, user = KEYS[1], KEYS[2]
local now = now_ms(ARGV[1])

if redis.call('HEXISTS', factor, 'on') == 0 then
  return 0
end
redis.call('DEL', factor)
redis.call('HSET', factor, 'removed', string.format('%.0f', math.floor(now / 1000)))
redis.call('HDEL', user, 'factor')
redis.call('HINCRBY', user, 'pwrev', 1)
return 1
