-- notify(notifications, ids, blocks, shard, now, notification, max, former, pushes): tells an account of something, once: what lies there already keeps its id and place. Only the newest max stay.
-- ids is a counter of notifications alone, so that the many of a celebrity do not drive the ids of statuses into the future; at first it goes on from former, that of the statuses.
-- Of the doings of those whom it blocks it is told nothing: they would never be shown, and many of them would push out what is.
-- pushes has the keys of the account's push subscriptions, and of the lane, the delayed jobs and the stats of its shard's queue: word of what is new goes there in the same step. Needs next_id, enqueue and push.
local function notify(notifications, ids, blocks, shard, now, notification, max, former, pushes)
  local type, actor = string.match(notification, '^(%S+) (%d+) ')
  if not redis.call('ZSCORE', blocks, actor) and not redis.call('ZSCORE', notifications, notification) then
    local id = next_id(ids, shard, now, former)
    redis.call('ZADD', notifications, id, notification)
    redis.call('ZREMRANGEBYRANK', notifications, 0, -max - 1)
    push(pushes.subscriptions, pushes.lane, pushes.delayed, pushes.stats, now, id, type)
  end
end
