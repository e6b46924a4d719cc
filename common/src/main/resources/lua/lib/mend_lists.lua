-- mend_lists(user, profile, outbox, outbox_max, archived): the counter of posts, the newest post and the outbox as the profile says, with so many archived.
local function mend_lists(user, profile, outbox, outbox_max, archived)
  local newest = redis.call('ZRANGE', profile, -outbox_max, -1)
  redis.call('HSET', user, 'posts', redis.call('ZCARD', profile) + tonumber(archived or '0'), 'last', newest[#newest] or '0')
  redis.call('DEL', outbox)
  for _, id in ipairs(newest) do
    redis.call('ZADD', outbox, id, id)
  end
end
