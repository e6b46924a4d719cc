#!lua flags=allow-oom
--[[
  mend_article - count the votes of an article anew, and put it at its place in the rankings that have it

  KEYS[1]  article  HASH  groups; votes as long as score does not have it; or gone
  KEYS[2]  voters   SET   account
  KEYS[3]  score    ZSET  article by score; with :<group> behind it, those of a group
  ARGV[1]  id       of the article

  Returns  1
  Holds    votes that nobody can count any more, since the voters are forgotten, stay
]]
--#include article_rank
--#include article_voters
local article, voters, score, id = KEYS[1], KEYS[2], KEYS[3], ARGV[1]

local gone, kept, groups = unpack(redis.call('HMGET', article, 'gone', 'votes', 'groups'))
local place = redis.call('ZSCORE', score, id)
if gone or not (place or kept) then
  return 1
end
local votes = article_voter_count(voters)
if votes == 0 then
  votes = math.max(1, place and math.floor(article_votes(id, place)) or tonumber(kept))
end
if place then
  redis.call('HDEL', article, 'votes')
else
  redis.call('HSET', article, 'votes', votes)
end
redis.call('ZADD', score, 'XX', article_place(id, votes), id)
for group in string.gmatch(groups or '', '%S+') do
  redis.call('ZADD', score .. ':' .. group, 'XX', article_place(id, votes), id)
end
return 1
