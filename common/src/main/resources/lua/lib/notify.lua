-- notify(notifications, ids, shard, now, notification, max): tells an account of something, once: what lies there already keeps its id and place. Only the newest max stay.
local function notify(notifications, ids, shard, now, notification, max)
  if not redis.call('ZSCORE', notifications, notification) then
    redis.call('ZADD', notifications, next_id(ids, shard, now), notification)
    redis.call('ZREMRANGEBYRANK', notifications, 0, -max - 1)
  end
end
