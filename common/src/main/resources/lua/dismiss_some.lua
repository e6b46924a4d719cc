#!lua flags=allow-oom
--[[
  dismiss_some - throw away some notifications by what they say

  KEYS[1]   notifications  ZSET  notification by its id
  KEYS[2]   dismissed      ZSET  notification by the id it had: does not come back with a job that runs again
  ARGV[1]   memory               ms for which they are remembered after the last one
  ARGV[2]   keep                 remembered at most
  ARGV[3..] notification         '<type> <actor> <status>'

  Returns  how many were thrown away
]]
local notifications, dismissed = KEYS[1], KEYS[2]
local memory, keep = ARGV[1], tonumber(ARGV[2])

local thrown = 0
for i = 3, #ARGV do
  local id = redis.call('ZSCORE', notifications, ARGV[i])
  if id then
    redis.call('ZADD', dismissed, id, ARGV[i])
    thrown = thrown + redis.call('ZREM', notifications, ARGV[i])
  end
end
redis.call('ZREMRANGEBYRANK', dismissed, 0, -keep - 1)
redis.call('PEXPIRE', dismissed, memory)
return thrown
