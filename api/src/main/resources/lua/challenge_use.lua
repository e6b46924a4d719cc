#!lua
--[[
  challenge_use - use a solved challenge up

  KEYS[1]  {sign-ups}:challenges  ZSET  random part of a used challenge by its end, ms
  ARGV[1]  random
  ARGV[2]  end                    ms
  ARGV[3]  swept                  ms; those that ended before leave
  ARGV[4]  max                    used ones that are kept
  ARGV[5]  life                   of the key, ms: longer than that of every challenge

  Returns  'good'; 'used' when it was used before; 'full' when max are kept: then nothing is changed
  Holds    a challenge is good once
]]
local used = KEYS[1]
local random, ending, swept, max, life = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]
if redis.call('ZSCORE', used, random) then
  return 'used'
end
redis.call('ZREMRANGEBYSCORE', used, '-inf', '(' .. swept)
if redis.call('ZCARD', used) >= max then
  return 'full'
end
redis.call('ZADD', used, ending, random)
redis.call('PEXPIRE', used, life)
return 'good'
