#!lua flags=allow-oom
--[[
  article_delete - take an article out of the rankings, for good

  KEYS[1]  article  HASH  groups; votes as long as score does not have it; or gone
  KEYS[2]  voters   SET   account
  KEYS[3]  score    ZSET  article by score; with :<group> behind it, those of a group
  KEYS[4]  time     ZSET  article by itself; likewise
  KEYS[5]  best     ZSET  article by itself
  KEYS[6]  groups   ZSET  group by its number of articles
  KEYS[7]  owners   HASH  account by the group that it created
  KEYS[8]  ballots  LIST  voters in the order of their votes
  ARGV[1]  id       of the article
  ARGV[2]  until    when the tombstone goes, ms

  Returns  1
  Holds    neither a vote nor a late publication brings a deleted article back while its tombstone lives, which keeps the votes for
           the answer to whoever deletes it
]]
--#include now
--#include article_rank
--#include article_group
local article, voters, score, time, best, groups, owners, ballots = unpack(KEYS)
local id = ARGV[1]

for group in string.gmatch(redis.call('HGET', article, 'groups') or '', '%S+') do
  article_leave(score, time, owners, groups, group, id)
end
local place = redis.call('ZSCORE', score, id)
if place then
  redis.call('HSET', article, 'votes', article_votes(id, place))
end
redis.call('ZREM', score, id)
redis.call('ZREM', time, id)
redis.call('ZREM', best, id)
redis.call('UNLINK', voters, ballots)
redis.call('HDEL', article, 'groups')
redis.call('HSET', article, 'gone', 1)
redis.call('PEXPIRE', article, string.format('%.0f', tonumber(ARGV[2]) - now_ms('')))
return 1
