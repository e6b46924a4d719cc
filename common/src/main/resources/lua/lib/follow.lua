-- follow(keys, by, followee, how, put): the follower's side of one edge, as the header of follow.lua says; keys and answer are those of that script.
-- by: now, shard, max, depth_max, reposts, notify, ended and wants, as there. put(type, object, edge): enqueues a job of the follower, or gathers it; of it each change has one.
local function follow(keys, by, followee, how, put)
  local user, following, ids, _, lane, blocks, blockedby, noreposts, bells, endorsed, requesting, asked, languages =
    unpack(keys)
  local now, shard, max, depth_max = by.now, by.shard, by.max, by.depth_max
  local reposts, notify, ended, wants = by.reposts, by.notify, by.ended, by.wants

  local request = redis.call('ZSCORE', requesting, followee)
  if how == 'admit' and (not request or ended ~= '' and request ~= ended) then
    return { 'none' }
  end
  if redis.call('ZSCORE', blocks, followee) then
    return { 'blocking' }
  end
  if redis.call('ZSCORE', blockedby, followee) then
    return { 'blocked' }
  end
  local edge = redis.call('ZSCORE', following, followee)
  if edge and request then
    -- Made a follow by a process of an older version, which does not ask.
    redis.call('ZREM', requesting, followee)
    redis.call('HDEL', asked, followee)
    put('unrequest', followee, request)
    request = false
  end
  local wanted = not redis.call('ZSCORE', noreposts, followee)
  -- One that an unfollow by an older process has left is of another edge.
  local told = edge and redis.call('ZSCORE', bells, followee) == edge
  local renewed = edge and edge == ended
  local of_edge, codes = string.match(redis.call('HGET', languages, followee) or '', '^(%d+) (.*)$')
  local spoken = edge and of_edge == edge and codes or '*'
  if edge and of_edge and of_edge ~= edge then
    -- Likewise.
    redis.call('HDEL', languages, followee)
    bump(user, now)
  end
  local endorses = renewed and redis.call('ZSCORE', endorsed, followee) == edge
  if renewed then
    reposts, notify, wants, edge = wanted and '1' or '0', told and '1' or '0', spoken, false
  end
  if
    edge
    and (reposts == '' or wanted == (reposts == '1'))
    and (notify == '' or told == (notify == '1'))
    and (wants == '' or wants == spoken)
  then
    return { 'same', edge }
  end
  if edge then
    if redis.call('LLEN', lane) >= depth_max then
      return { 'busy' }
    end
    if reposts == '0' then
      redis.call('ZADD', noreposts, edge, followee)
    elseif reposts == '1' then
      redis.call('ZREM', noreposts, followee)
    end
    if notify == '1' then
      redis.call('ZADD', bells, edge, followee)
    elseif notify == '0' then
      redis.call('ZREM', bells, followee)
    end
    if wants == '*' then
      redis.call('HDEL', languages, followee)
    elseif wants ~= '' then
      redis.call('HSET', languages, followee, edge .. ' ' .. wants)
    end
    bump(user, now)
    local id = next_id(ids, shard, now)
    put('terms', followee, id)
    return { 'terms', edge, id }
  end
  local state, limited = unpack(redis.call('HMGET', user, 'state', 'limited'))
  if state ~= 'active' then
    return { 'inactive' }
  end
  if how == 'follow' and limited and not renewed then
    how = 'ask'
  end
  if request then
    local wants_reposts, wants_notify, wants_languages =
      string.match(redis.call('HGET', asked, followee) or ',', '^([^,]*),([^,]*),?(.*)$')
    reposts = reposts == '' and wants_reposts or reposts
    notify = notify == '' and wants_notify or notify
    wants = wants == '' and wants_languages or wants
  end
  local asks_again = how == 'ask' and request and request ~= ended
  if how ~= 'admit' and not asks_again then
    local others = redis.call('ZCARD', following) + redis.call('ZCARD', requesting) - (request and 1 or 0)
    if not renewed and others >= max then
      return { 'full' }
    end
    if redis.call('LLEN', lane) >= depth_max then
      return { 'busy' }
    end
  end
  if how == 'ask' then
    if reposts == '' and notify == '' and wants == '' then
      redis.call('HDEL', asked, followee)
    else
      redis.call('HSET', asked, followee, reposts .. ',' .. notify .. (wants == '' and '' or ',' .. wants))
    end
    if asks_again then
      return { 'asked', request }
    end
    request = next_id(ids, shard, now)
    redis.call('ZADD', requesting, request, followee)
    put('request', followee, request)
    return { 'requested', request }
  end
  if request then
    redis.call('ZREM', requesting, followee)
    redis.call('HDEL', asked, followee)
    put('unrequest', followee, request)
  end
  edge = next_id(ids, shard, now)
  redis.call('ZADD', following, edge, followee)
  if reposts == '0' then
    redis.call('ZADD', noreposts, edge, followee)
  end
  if wants == '' or wants == '*' then
    redis.call('HDEL', languages, followee)
  else
    redis.call('HSET', languages, followee, edge .. ' ' .. wants)
  end
  redis.call('HSET', user, 'following', redis.call('ZCARD', following))
  if endorses then
    redis.call('ZADD', endorsed, edge, followee)
  else
    redis.call('ZREM', endorsed, followee)
  end
  bump(user, now)
  put('link', followee, edge)
  local id = '0'
  if notify == '1' then
    redis.call('ZADD', bells, edge, followee)
    id = next_id(ids, shard, now)
    put('terms', followee, id)
  else
    redis.call('ZREM', bells, followee)
  end
  return { 'new', edge, id, request or '0' }
end
