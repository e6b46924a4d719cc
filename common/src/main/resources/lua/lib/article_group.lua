-- article_group_size(time, owners, groups, group): notes how many articles a group has; one without any ends, and whoever uses
-- its name next creates another.
local function article_group_size(time, owners, groups, group)
  local size = redis.call('ZCARD', time .. ':' .. group)
  if size == 0 then
    redis.call('HDEL', owners, group)
    redis.call('ZREM', groups, group)
  else
    redis.call('ZADD', groups, size, group)
  end
end

-- article_join(score, time, owners, groups, group, creator, place, id, max, groups_max): puts an article into a group, which
-- its first article creates; false when there are groups_max others already.
local function article_join(score, time, owners, groups, group, creator, place, id, max, groups_max)
  if redis.call('HEXISTS', owners, group) == 0 then
    if redis.call('HLEN', owners) >= groups_max then
      return false
    end
    redis.call('HSET', owners, group, creator)
  end
  article_rank(score .. ':' .. group, place, id, max)
  article_rank(time .. ':' .. group, id, id, max)
  article_group_size(time, owners, groups, group)
  return true
end

-- article_leave(score, time, owners, groups, group, id): takes an article out of a group.
local function article_leave(score, time, owners, groups, group, id)
  redis.call('ZREM', score .. ':' .. group, id)
  redis.call('ZREM', time .. ':' .. group, id)
  article_group_size(time, owners, groups, group)
end
