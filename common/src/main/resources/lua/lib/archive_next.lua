-- archive_next(profile, cap, age, now): the ms at which statuses of a profile are to move into the archive: now when there are more than cap, else when the oldest is age ms old.
-- nil = never. A cap or an age of 0 is no rule.
local function archive_next(profile, cap, age, now)
  if cap > 0 and redis.call('ZCARD', profile) > cap then
    return now
  end
  local oldest = age > 0 and redis.call('ZRANGE', profile, '0', '0')[1]
  return oldest and math.max(now, subject_ms(oldest) + age) or nil
end
