#!lua flags=allow-oom
--[[
  reap - take the jobs of a batch whose worker has died; any worker may

  KEYS[1]  queue:{s}:leases        ZSET  batch by deadline, epoch ms
  KEYS[2]  queue:{s}:batch:<name>  LIST  the jobs of the batch
  KEYS[3]  queue:{s}:suspect       LIST  jobs whose worker died
  KEYS[4]  queue:{s}:dead          ZSET  dead letter by time of death, epoch ms
  KEYS[5]  queue:{s}:stats         HASH  counters of the shard
  KEYS[6]  queue:{s}:delayed       ZSET  job by due time, epoch ms
  ARGV[1]  now                     epoch ms, empty = the server's clock
  ARGV[2]  name                    of the batch
  ARGV[3]  deadline                that its lease has had for as long as a lease
  ARGV[4]  recoveries max          a job that has been recovered so often is poison: the first time it died in company, ever after alone
  ARGV[5]  keep                    dead letters at most; beyond it jobs are put off
  ARGV[6]  age                     ms that a dead letter is kept

  Returns  how many jobs were moved; 0 when the lease has been renewed, settled or reaped meanwhile
  Holds    as in fetch; a job that does not decode never runs again. The deadline is compared, not the clock: who reaps has watched it for a lease, and a clock that is set takes nothing
           from those who live
]]
--#include now
--#include queue
local leases, batch, suspect, dead, stats, delayed = unpack(KEYS)
local now, name, watched, recoveries_max = now_ms(ARGV[1]), ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local keep, age = tonumber(ARGV[5]), tonumber(ARGV[6])

local function give_up(line, reason)
  if not bury(dead, stats, now, line, reason, keep, age) then
    local put_off = redis.call('ZADD', delayed, now + NO_ROOM_MILLIS, line)
    count(stats, 'retried', put_off)
    count(stats, 'done', 1 - put_off) -- An equal job that is delayed already stands for both.
  end
end

local deadline = redis.call('ZSCORE', leases, name)
if not deadline or tonumber(deadline) ~= watched then
  return 0
end

local jobs = redis.call('LRANGE', batch, 0, -1)
for _, line in ipairs(jobs) do
  local recoveries, rest = line:match('^(%d+) (%d+ .*)$')
  if not rest then
    give_up(line, 'malformed')
  elseif tonumber(recoveries) >= recoveries_max then
    give_up(line, 'poison: ' .. recoveries .. ' workers died of it, and one more')
  else
    redis.call('LPUSH', suspect, string.format('%d', recoveries + 1) .. ' ' .. rest)
  end
end
redis.call('DEL', batch)
redis.call('ZREM', leases, name)
count(stats, 'reaped', #jobs)
return #jobs
