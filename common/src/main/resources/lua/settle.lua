#!lua flags=allow-oom
--[[
  settle - acknowledge a whole batch: failures go to the delayed jobs or to the dead letters, continuations into their lanes, all others are done

  KEYS[1]  queue:{s}:leases        ZSET  batch by deadline, epoch ms
  KEYS[2]  queue:{s}:batch:<name>  LIST  the jobs of the batch
  KEYS[3]  queue:{s}:stats         HASH  counters of the shard
  KEYS[4]  queue:{s}:delayed       ZSET  job by due time, epoch ms
  KEYS[5]  queue:{s}:dead          ZSET  dead letter by time of death, epoch ms
  KEYS[6..8] queue:{s}:high, :normal, :low  LIST  lanes for continuations
  ARGV[1]  now                     epoch ms, empty = the server's clock
  ARGV[2]  name                    of the batch
  ARGV[3]  keep                    dead letters at most; beyond it jobs are put off
  ARGV[4]  age                     ms that a dead letter is kept
  ARGV[5]  failures                how many triples follow: place of the job in the batch from 1, 'retry' | 'later' | 'dead', delay in ms | reason
  ARGV[..] continuations           pairs after the failures: lane 1..3, job

  Returns  1, or 0 = LOST: the lease had been taken away, nothing was done, the jobs run elsewhere
  Holds    as in fetch and enqueue; a continuation waits exactly when the job it continues is gone
]]
--#include now
--#include queue
--#include enqueue
local leases, batch, stats, delayed, dead = unpack(KEYS, 1, 5)
local now, name, keep, age = now_ms(ARGV[1]), ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local failures = tonumber(ARGV[5])

if redis.call('ZREM', leases, name) == 0 then
  return 0
end

-- An equal job that is delayed already stands for both: jobs are idempotent, so this one counts as done.
local function delay(line, millis)
  return redis.call('ZADD', delayed, now + millis, line)
end

local retried, buried = 0, 0
local jobs = failures > 0 and redis.call('LRANGE', batch, 0, -1) or {}
for f = 0, failures - 1 do
  local line, verdict, detail = jobs[tonumber(ARGV[6 + 3 * f])], ARGV[7 + 3 * f], ARGV[8 + 3 * f]
  local recoveries, attempt, rest = line:match('^(%d+) (%d+) (.*)$')
  if verdict == 'later' then
    retried = retried + delay(line, tonumber(detail))
  elseif verdict == 'retry' and rest then
    retried = retried + delay(recoveries .. ' ' .. string.format('%d', attempt + 1) .. ' ' .. rest, tonumber(detail))
  else
    if bury(dead, stats, now, line, verdict == 'dead' and detail or 'malformed', keep, age) then
      buried = buried + 1
    else
      retried = retried + delay(line, NO_ROOM_MILLIS)
    end
  end
end

local total = redis.call('LLEN', batch)
redis.call('DEL', batch)
count(stats, 'retried', retried)
count(stats, 'done', total - retried - buried)
for c = 6 + 3 * failures, #ARGV, 2 do
  enqueue(KEYS[5 + tonumber(ARGV[c])], stats, now, ARGV[c + 1])
end
return 1
