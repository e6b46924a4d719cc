#!lua flags=no-writes
--[[
  queue_stats - the numbers of one shard at one instant

  KEYS[1..4] queue:{s}:high, :normal, :low, :suspect  LIST  waiting jobs
  KEYS[5]  queue:{s}:delayed  ZSET  job by due time
  KEYS[6]  queue:{s}:leases   ZSET  batch by deadline
  KEYS[7]  queue:{s}:dead     ZSET  dead letter by time of death
  KEYS[8]  queue:{s}:stats    HASH  counters of the shard

  Returns  {high, normal, low, suspect, delayed, batches, dead, epoch ms of the oldest waiting job or 0, enqueued, done, retried, buried, dropped, replayed, reaped}
]]
local answer = {}
local oldest = 0
for k = 1, 4 do
  answer[k] = redis.call('LLEN', KEYS[k])
  -- Jobs that came back from a delay wait out of order, so this is near the truth, not always exact.
  local line = redis.call('LINDEX', KEYS[k], -1)
  local enqueued = line and tonumber(line:match('^%d+ %d+ (%d+) ')) or 0
  if enqueued > 0 and (oldest == 0 or enqueued < oldest) then
    oldest = enqueued
  end
end
for k = 5, 7 do
  answer[k] = redis.call('ZCARD', KEYS[k])
end
answer[8] = oldest
for _, counter in ipairs(redis.call('HMGET', KEYS[8], 'enqueued', 'done', 'retried', 'buried', 'dropped', 'replayed', 'reaped')) do
  answer[#answer + 1] = tonumber(counter or 0)
end
return answer
