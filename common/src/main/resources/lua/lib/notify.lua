-- notify(notifications, ids, blocks, shard, now, notification, max): tells an account of something, once: what lies there already keeps its id and place. Only the newest max stay.
-- Of the doings of those whom it blocks it is told nothing: they would never be shown, and many of them would push out what is.
local function notify(notifications, ids, blocks, shard, now, notification, max)
  local actor = string.match(notification, '^%S+ (%d+) ')
  if not redis.call('ZSCORE', blocks, actor) and not redis.call('ZSCORE', notifications, notification) then
    redis.call('ZADD', notifications, next_id(ids, shard, now), notification)
    redis.call('ZREMRANGEBYRANK', notifications, 0, -max - 1)
  end
end
