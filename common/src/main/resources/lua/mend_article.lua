#!lua flags=allow-oom
--[[
  mend_article - count the votes of an article anew, and put it at its place in the rankings that have it

  KEYS[1]  article  HASH  votes and groups, or gone
  KEYS[2]  voters   ZSET  account by the number of its vote
  KEYS[3]  score    ZSET  article by score; with :<group> behind it, those of a group
  ARGV[1]  id       of the article

  Returns  1
  Holds    votes that nobody can count any more, since the voters are forgotten, stay
]]
local article, voters, score, id = KEYS[1], KEYS[2], KEYS[3], ARGV[1]

local votes, gone, groups = unpack(redis.call('HMGET', article, 'votes', 'gone', 'groups'))
if not votes or gone then
  return 1
end
local counted = redis.call('ZCARD', voters)
if counted > 0 then
  votes = counted
  redis.call('HSET', article, 'votes', votes)
end
-- An id contains its time, see Id.java.
local place = math.floor((math.floor(tonumber(id) / 4096) + 1704067200000) / 1000) + 432 * tonumber(votes)
redis.call('ZADD', score, 'XX', place, id)
for group in string.gmatch(groups or '', '%S+') do
  redis.call('ZADD', score .. ':' .. group, 'XX', place, id)
end
return 1
