#!lua
--[[
  article_vote - count the vote of an account for an article, and rank the article if nobody has done so yet

  KEYS[1]  article  HASH  votes, or gone
  KEYS[2]  voters   ZSET  account by the number of its vote
  KEYS[3]  score    ZSET  article by score
  KEYS[4]  time     ZSET  article by itself
  KEYS[5]  best     ZSET  article by itself
  ARGV[1]  now            ms, empty = the server's clock
  ARGV[2]  id             of the article
  ARGV[3]  author         whose vote is the first
  ARGV[4]  voter          empty = only rank the article
  ARGV[5]  best_votes     votes from which on best lists an article
  ARGV[6]  ranking_max    entries of score and of time
  ARGV[7]  best_max       entries of best

  Returns  {'counted', votes}; {'repeated', votes} when the voter or the publication is counted already;
           {'closed'} seven days after the publication; {'gone'} when the article is deleted
  Holds    votes = distinct voters, the author among them; score = seconds of publication + 432 * votes
]]
--#include now
local article, voters, score, time, best = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local now, id, author, voter = now_ms(ARGV[1]), ARGV[2], ARGV[3], ARGV[4]
local best_votes, ranking_max, best_max = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])

-- An id contains its time, see Id.java.
local published = math.floor(tonumber(id) / 4096) + 1704067200000
local deadline = published + 604800000

local facts = redis.call('HMGET', article, 'votes', 'gone')
if facts[2] then
  return {'gone'}
end
local votes = tonumber(facts[1] or '0')
if voter ~= '' and now >= deadline then
  return {'closed'}
end

local before = votes
if votes == 0 then
  votes = 1
  if now < deadline then
    redis.call('ZADD', voters, votes, author)
    redis.call('PEXPIRE', voters, string.format('%.0f', deadline - now))
  end
  redis.call('ZADD', time, id, id)
  redis.call('ZREMRANGEBYRANK', time, 0, -ranking_max - 1)
end
if voter ~= '' and redis.call('ZADD', voters, 'NX', votes + 1, voter) == 1 then
  votes = votes + 1
end
if votes == before then
  return {'repeated', votes}
end

redis.call('HSET', article, 'votes', votes)
-- Only a new entry can make the ranking too long. One that was dropped comes back by a vote as a new one.
if redis.call('ZADD', score, math.floor(published / 1000) + 432 * votes, id) == 1 then
  redis.call('ZREMRANGEBYRANK', score, 0, -ranking_max - 1)
end
if votes >= best_votes then
  redis.call('ZADD', best, id, id)
  redis.call('ZREMRANGEBYRANK', best, 0, -best_max - 1)
end
return {'counted', votes}
