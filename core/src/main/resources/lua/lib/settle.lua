-- settle(q, now, name, keep, age, first, statuses): acknowledges the whole batch q.batch. q has the keys leases, batch, stats, delayed, dead and lanes, those of high, normal and low; ARGV has
-- from first on the number of failures, their triples and the pairs of continuations, as in settle.lua; KEYS has from statuses on those that must not be deleted. Returns 1, 0 = LOST or 2 = GONE.
local function settle(q, now, name, keep, age, first, statuses)
  if not redis.call('ZSCORE', q.leases, name) then
    return 0
  end
  for k = statuses, #KEYS do
    if redis.call('HEXISTS', KEYS[k], 'text') == 0 then -- A tombstone has no text.
      return 2
    end
  end

  -- An equal job that is delayed already stands for both: jobs are idempotent, so this one counts as done.
  local function delay(line, millis)
    return redis.call('ZADD', q.delayed, now + millis, line)
  end

  -- What failed last, by type, for the operator: a job that is tried again shows no reason of its own.
  local last = {}

  local failures = tonumber(ARGV[first])
  local retried, buried = 0, 0
  local jobs = failures > 0 and redis.call('LRANGE', q.batch, 0, -1) or {}
  for at = first + 1, first + 3 * failures, 3 do
    local line, verdict, detail = jobs[tonumber(ARGV[at])], ARGV[at + 1], ARGV[at + 2]
    local recoveries, attempt, rest = line:match('^(%d+) (%d+) (.*)$')
    local millis, reason = detail:match('^(%d+) (.*)$')
    if verdict == 'later' then
      retried = retried + delay(line, tonumber(millis))
    elseif verdict == 'retry' and rest then
      retried = retried + delay(recoveries .. ' ' .. string.format('%d', attempt + 1) .. ' ' .. rest, tonumber(millis))
    else
      reason = verdict == 'dead' and detail or 'malformed'
      if bury(q.dead, q.stats, now, line, reason, keep, age) then
        buried = buried + 1
      else
        retried = retried + delay(line, NO_ROOM_MILLIS)
      end
    end
    local type = line:match('^%d+ %d+ %d+ ([%l_]+)')
    if type then
      last[type] = string.format('%d', now) .. '\t' .. reason .. '\t' .. line
    end
  end
  for type, failure in pairs(last) do
    redis.call('HSET', q.stats, 'failed:' .. type, failure)
  end

  count(q.stats, 'retried', retried)
  count(q.stats, 'done', redis.call('LLEN', q.batch) - retried - buried)
  for c = first + 1 + 3 * failures, #ARGV, 2 do
    enqueue(q.lanes[tonumber(ARGV[c])], q.stats, now, ARGV[c + 1])
  end
  -- The lease goes last: when anything above fails, it ends by itself and the jobs are taken back. A batch without one would wait for ever.
  redis.call('DEL', q.batch)
  redis.call('ZREM', q.leases, name)
  return 1
end
