-- Of an author who has more jobs in a lane than others, a batch takes one in AUTHOR_SHARE, as long as jobs of others are found among the next portions, each as large as a batch. What is
-- passed over waits behind: that of the high lane in the normal one, which has turns of its own, as long as not too many wait there; that of the others at their end.
local AUTHOR_SHARE, PORTIONS, ASIDE_MAX = 4, 16, 10000

-- author_of(line): the first field of the job; nil where there is none.
local function author_of(line)
  return line:match('^%d+ %d+ %d+ %S+ (%d+)')
end

-- crowded(portion, share): whether one author may have more than a share of it. One line in four tells, which costs a batch without a crowd a tenth of what all would.
local function crowded(portion, share)
  local counts = {}
  for i = 1, #portion, 4 do
    local author = author_of(portion[i])
    if author then
      counts[author] = (counts[author] or 0) + 4
      if counts[author] > share then
        return true
      end
    end
  end
  return false
end

-- take(lane, aside, want): takes so many jobs from the tail of a lane, the oldest first, of each author a share first; all that it passes over goes to the list aside. The order among
-- jobs of an author changes, as it does between workers.
local function take(lane, aside, want)
  local portion = redis.call('RPOP', lane, want) or {}
  local share = math.ceil(want / AUTHOR_SHARE)
  if #portion < want or not crowded(portion, share) then
    return portion
  end
  local taken, over, back, counts = {}, {}, {}, {}
  for look = 1, PORTIONS do
    for _, line in ipairs(portion) do
      local author = author_of(line)
      local count = author and (counts[author] or 0) + 1 or 0
      if author then
        counts[author] = count
      end
      local list = #taken == want and back or count > share and over or taken
      list[#list + 1] = line
    end
    if #taken == want or #portion < want or look == PORTIONS then
      break
    end
    portion = redis.call('RPOP', lane, want) or {}
  end

  local filled = math.min(want - #taken, #over)
  for i = 1, filled do
    taken[#taken + 1] = over[i]
  end
  local rest = {}
  for i = #back, 1, -1 do
    rest[#rest + 1] = back[i]
  end
  append_all(lane, rest)
  for first = filled + 1, #over, 150 do
    redis.call('LPUSH', aside, unpack(over, first, math.min(first + 149, #over)))
  end
  return taken
end

-- While so many jobs wait in the high lane of a shard, or one for so long (ms), its low lane gives none: QueueDepths.java tells the operator.
local OVERLOAD_DEPTH, OVERLOAD_MILLIS = 10000, 10000

-- overloaded(high, now): whether the high lane is so far behind.
local function overloaded(high, now)
  local oldest = redis.call('LINDEX', high, -1)
  local enqueued = oldest and tonumber(oldest:match('^%d+ %d+ (%d+) '))
  return redis.call('LLEN', high) >= OVERLOAD_DEPTH or enqueued and now - enqueued >= OVERLOAD_MILLIS
end

-- claim(q, now, name, lease, max, due_max, alone, lanes): claims waiting jobs as one batch, or answers the batch of that name again and renews its lease. q has the keys leases, batch,
-- suspect, delayed, due_lane and stats; lanes are pairs {key, most}: the first that has jobs is the one that they are taken from, since
-- those of a batch end together. Returns what fetch.lua says.
local function claim(q, now, name, lease, max, due_max, alone, lanes)
  if redis.call('ZSCORE', q.leases, name) then
    redis.call('ZADD', q.leases, now + lease, name)
    return { 1, redis.call('LLEN', q.suspect), redis.call('LRANGE', q.batch, 0, -1), -1, '' }
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
    local all_paused = redis.call('HGET', q.stats, 'paused') or ''
    local function is_paused(lane)
      return all_paused:find(lane .. '=', 1, true)
    end
    local low_waits = false
    for _, lane in ipairs(lanes) do
      -- Where the low lane comes last, nothing waits in the high one.
      if lane[1]:match('[^:]+$') == 'high' and lanes[1] ~= lane and not is_paused('high') then
        low_waits = overloaded(lane[1], now)
      end
    end
    for _, lane in ipairs(lanes) do
      local name = lane[1]:match('[^:]+$')
      if not is_paused(name) and not (name == 'low' and low_waits) then
        if #jobs > 0 then
          more = math.max(more, redis.call('EXISTS', lane[1]))
        else
          local aside = lane[1]
          if name == 'high' and not is_paused('normal') and redis.call('LLEN', q.due_lane) < ASIDE_MAX then
            aside = q.due_lane
          end
          jobs = take(lane[1], aside, math.min(lane[2], max))
          from = #jobs > 0 and name or ''
          if #jobs == math.min(lane[2], max) then
            more = 1
          end
        end
      end
    end
  end

  if #jobs > 0 then
    redis.call('ZADD', q.leases, now + lease, name) -- First: nobody would take back a batch without one.
    append_all(q.batch, jobs)
  end
  local first = redis.call('ZRANGE', q.delayed, 0, 0, 'WITHSCORES')[2]
  return { more, redis.call('LLEN', q.suspect), jobs, first and math.max(0, tonumber(first) - now) or -1, from }
end
