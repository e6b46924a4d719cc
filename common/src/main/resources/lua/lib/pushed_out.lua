-- pushed_out(notifications, time, max): whether word of what happened then may have lain there and been pushed out since: all max notifications that are there are newer than that, by the ms. Whoever tells of it again, or so late, tells no more. An empty time is never too old. Needs subject_ms.
local function pushed_out(notifications, time, max)
  if time == '' or redis.call('ZCARD', notifications) < max then
    return false
  end
  return subject_ms(redis.call('ZRANGE', notifications, 0, 0, 'WITHSCORES')[2]) > subject_ms(time)
end
