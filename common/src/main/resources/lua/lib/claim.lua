-- claim(q, now, name, lease, max, due_max, alone, lanes): claims waiting jobs as one batch, or answers the batch of that name again and renews its lease. q has the keys leases, batch,
-- suspect, delayed, due_lane and stats; lanes are pairs {key, most}: the first that has jobs is the one that they are taken from, since
-- those of a batch end together. Returns what fetch.lua says.
local function claim(q, now, name, lease, max, due_max, alone, lanes)
  if redis.call('ZSCORE', q.leases, name) then
    redis.call('ZADD', q.leases, now + lease, name)
    return {1, redis.call('LLEN', q.suspect), redis.call('LRANGE', q.batch, 0, -1), -1, ''}
  end

  -- A job that has ever been recovered stays a suspect.
  local due = redis.call('ZRANGE', q.delayed, '-inf', now, 'BYSCORE', 'LIMIT', 0, due_max)
  for _, job in ipairs(due) do
    redis.call('ZREM', q.delayed, job)
    redis.call('LPUSH', job:match('^0 ') and q.due_lane or q.suspect, job)
  end

  local more = #due == due_max and 1 or 0
  local jobs, from = alone and redis.call('RPOP', q.suspect, 1) or {}, ''
  if #jobs == 0 then
    local paused = redis.call('HGET', q.stats, 'paused')
    for _, lane in ipairs(lanes) do
      local name = lane[1]:match('[^:]+$')
      if not (paused and paused:find(name .. '=', 1, true)) then
        if #jobs > 0 then
          more = math.max(more, redis.call('EXISTS', lane[1]))
        else
          jobs = redis.call('RPOP', lane[1], math.min(lane[2], max)) or {}
          from = #jobs > 0 and name or ''
          if #jobs == math.min(lane[2], max) then
            more = 1
          end
        end
      end
    end
  end

  if #jobs > 0 then
    append_all(q.batch, jobs)
    redis.call('ZADD', q.leases, now + lease, name)
  end
  local first = redis.call('ZRANGE', q.delayed, 0, 0, 'WITHSCORES')[2]
  return {more, redis.call('LLEN', q.suspect), jobs, first and math.max(0, tonumber(first) - now) or -1, from}
end
