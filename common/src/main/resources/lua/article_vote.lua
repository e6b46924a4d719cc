#!lua
--[[
  article_vote - count the vote of an account for an article

  KEYS[1]  article  HASH  groups; or gone
  KEYS[2]  voters   ZSET  account by the number of its vote
  KEYS[3]  score    ZSET  article by score; with :<group> behind it, those of a group
  KEYS[4]  best     ZSET  article by itself
  ARGV[1]  now            ms, empty = the server's clock
  ARGV[2]  id             of the article
  ARGV[3]  voter
  ARGV[4]  deadline       ms
  ARGV[5]  best_votes     votes from which on best lists an article
  ARGV[6]  best_max       entries of best
  ARGV[7]  ranking_max    entries of the score of a group

  Returns  counted; repeated, when the voter has voted already; closed; gone, when the article is deleted; unranked, when score does
           not have it
  Holds    votes = distinct voters; score = seconds of publication + 432 * votes, which therefore counts the votes, in the ranking
           of each of its groups too
]]
--#include now
--#include article_rank
local article, voters, score, id = KEYS[1], KEYS[2], KEYS[3], ARGV[2]

local facts = redis.call('HMGET', article, 'gone', 'groups')
if facts[1] then
  return 'gone'
end
if now_ms(ARGV[1]) >= tonumber(ARGV[4]) then
  return 'closed'
end
local place = redis.call('ZADD', score, 'XX', 'INCR', 432, id)
if not place then
  return 'unranked'
end
local votes = article_votes(id, place)
if redis.call('ZADD', voters, 'NX', votes, ARGV[3]) == 0 then
  redis.call('ZADD', score, 'XX', 'INCR', -432, id)
  return 'repeated'
end
if facts[2] then
  for group in string.gmatch(facts[2], '%S+') do
    article_rank(score .. ':' .. group, place, id, tonumber(ARGV[7]))
  end
end
if votes == tonumber(ARGV[5]) then
  article_rank(KEYS[4], id, id, tonumber(ARGV[6]))
end
return 'counted'
