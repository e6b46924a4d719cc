#!lua flags=no-writes
--[[
  queue_stats - the numbers of one shard at one instant

  KEYS[1..4] queue:{s}:high, :normal, :low, :suspect  LIST  waiting jobs
  KEYS[5]  queue:{s}:delayed  ZSET  job by due time
  KEYS[6]  queue:{s}:leases   ZSET  batch by deadline
  KEYS[7]  queue:{s}:dead     ZSET  dead letter by time of death
  KEYS[8]  queue:{s}:stats    HASH  counters of the shard, and which lanes are paused

  Returns  name, number, name, number, ... as QueueStats.java has them: high, normal, low, suspect, delayed, batches, dead; oldest, ms of Unix time at which the oldest waiting job was
           enqueued or 0, and oldest_high, oldest_normal, oldest_low, oldest_suspect of each list; the counters enqueued, done, retried, buried, dropped, replayed, reaped; and of
           each paused lane paused_<lane>, ms of Unix time
]]
local answer = {}
local function add(name, number)
  answer[#answer + 1] = name
  answer[#answer + 1] = number
end

local oldest = 0
for k, lane in ipairs({ 'high', 'normal', 'low', 'suspect' }) do
  add(lane, redis.call('LLEN', KEYS[k]))
  -- Jobs that came back from a delay wait out of order, so this is near the truth, not always exact.
  local line = redis.call('LINDEX', KEYS[k], -1)
  local enqueued = line and tonumber(line:match('^%d+ %d+ (%d+) ')) or 0
  add('oldest_' .. lane, enqueued)
  if enqueued > 0 and (oldest == 0 or enqueued < oldest) then
    oldest = enqueued
  end
end
add('oldest', oldest)
for k, set in ipairs({ 'delayed', 'batches', 'dead' }) do
  add(set, redis.call('ZCARD', KEYS[4 + k]))
end
local counters = { 'enqueued', 'done', 'retried', 'buried', 'dropped', 'replayed', 'reaped' }
local numbers = redis.call('HMGET', KEYS[8], 'paused', unpack(counters))
for i, counter in ipairs(counters) do
  add(counter, tonumber(numbers[i + 1] or 0))
end
for lane, since in (numbers[1] or ''):gmatch('(%l+)=(%d+) ') do
  add('paused_' .. lane, tonumber(since))
end
return answer
