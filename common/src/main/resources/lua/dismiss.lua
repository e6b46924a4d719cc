#!lua flags=allow-oom
--[[
  dismiss - throw away notifications

  KEYS[1]  notifications  ZSET  notification by its id
  KEYS[2]  dismissed      ZSET  notification by the id it had: does not come back with a job that runs again
  ARGV[1]  low                  lowest and
  ARGV[2]  high                 highest id to throw away
  ARGV[3]  memory               ms for which they are remembered after the last one
  ARGV[4]  keep                 remembered at most

  Returns  how many were thrown away
]]
local notifications, dismissed = KEYS[1], KEYS[2]
local low, high, memory, keep = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

local thrown = redis.call('ZRANGE', notifications, low, high, 'BYSCORE', 'WITHSCORES')
for i = 1, #thrown, 2 do
  redis.call('ZADD', dismissed, thrown[i + 1], thrown[i])
end
redis.call('ZREMRANGEBYRANK', dismissed, 0, -keep - 1)
redis.call('PEXPIRE', dismissed, memory)
return redis.call('ZREMRANGEBYSCORE', notifications, low, high)
