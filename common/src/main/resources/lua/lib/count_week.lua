-- count_week(counts, what, ms, more): so many more in the week of a moment, ms of Unix time. Weeks begin on Monday, UTC, and are numbered from that of 1969-12-29 on (see InstanceStats.java).
-- The first of a week takes out what was counted more than twelve weeks before it.
local function count_week(counts, what, ms, more)
  local week = math.floor((ms + 259200000) / 604800000)
  if redis.call('HINCRBY', counts, string.format('%s:%d', what, week), string.format('%d', more)) > more then
    return
  end
  local all = redis.call('HGETALL', counts)
  for i = 1, #all, 2 do
    local counted = string.match(all[i], '^%l+:(%d+)$')
    if counted and tonumber(counted) < week - 12 then
      redis.call('HDEL', counts, all[i])
    end
  end
end
