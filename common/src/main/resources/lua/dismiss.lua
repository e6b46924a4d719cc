#!lua flags=allow-oom
--[[
  dismiss - throw away notifications

  KEYS[1]  notifications  ZSET  notification by its id
  KEYS[2]  dismissed      ZSET  notification by the id it had: does not come back with a job that runs again
  ARGV[1]  low                  lowest and
  ARGV[2]  high                 highest id to throw away
  ARGV[3]  memory               ms for which they are remembered after the last one
  ARGV[4]  keep                 remembered at most
  ARGV[5]  type                 only of this type and
  ARGV[6]  status               about this status (0 = none); empty = any

  Returns  how many were thrown away
]]
local notifications, dismissed = KEYS[1], KEYS[2]
local low, high, memory, keep = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

local of_type, of_status = ARGV[5], ARGV[6]

local there = redis.call('ZRANGE', notifications, low, high, 'BYSCORE', 'WITHSCORES')
local thrown = 0
for i = 1, #there, 2 do
  local word, status = string.match(there[i], '^(%S+) %d+ (%d+)$')
  if of_type == '' or (word == of_type and status == of_status) then
    redis.call('ZADD', dismissed, there[i + 1], there[i])
    thrown = thrown + redis.call('ZREM', notifications, there[i])
  end
end
redis.call('ZREMRANGEBYRANK', dismissed, 0, -keep - 1)
redis.call('PEXPIRE', dismissed, memory)
return thrown
