-- unfollow(keys, now, followee, block, what, put): the follower's side of the end of one edge, as the header of unfollow.lua says; keys, block, what and answer are those of that script.
-- put(type, object, edge): enqueues a job of the follower, or gathers it; of it each change has one.
local function unfollow(keys, now, followee, block, what, put)
  local user, following, _, _, blockedby, noreposts, lists, set, bells, endorsed, requesting, asked, languages =
    unpack(keys)

  if block ~= '' and redis.call('ZSCORE', blockedby, followee) ~= block then
    return false
  end
  local edge = what == 'all' and redis.call('ZSCORE', following, followee)
  local request = redis.call('ZSCORE', requesting, followee)
  if not edge and not request then
    return false
  end
  if request then
    redis.call('ZREM', requesting, followee)
    redis.call('HDEL', asked, followee)
    put('unrequest', followee, request)
  end
  if not edge then
    return { '0', request }
  end
  redis.call('ZREM', following, followee)
  redis.call('ZREM', noreposts, followee)
  redis.call('HDEL', languages, followee)
  unlist(lists, set, followee)
  redis.call('ZREM', bells, followee)
  redis.call('ZREM', endorsed, followee)
  redis.call('HSET', user, 'following', redis.call('ZCARD', following))
  bump(user, now)
  put('unlink', followee, edge)
  return { edge, request or '0' }
end
