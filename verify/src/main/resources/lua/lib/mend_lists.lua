-- mend_lists(user, profile, outbox, outbox_max, archived, author): the counter of posts, the newest post and the outbox as the profile says, with what is archived of the author (see
-- lib/archived.lua). The newest post of an empty profile is the one at the border.
local function mend_lists(user, profile, outbox, outbox_max, archived, author)
  local newest = redis.call('ZRANGE', profile, -outbox_max, -1)
  local border, moved = unpack(redis.call('HMGET', archived, author, 'n' .. author))
  redis.call(
    'HSET',
    user,
    'posts',
    redis.call('ZCARD', profile) + tonumber(moved or '0'),
    'last',
    newest[#newest] or border or '0'
  )
  redis.call('DEL', outbox)
  for _, id in ipairs(newest) do
    redis.call('ZADD', outbox, id, id)
  end
end
