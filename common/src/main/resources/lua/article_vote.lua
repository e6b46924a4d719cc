#!lua
--[[
  article_vote - count the vote of an account for an article, and rank the article if nobody has done so yet

  KEYS[1]  article  HASH  votes and groups, or gone
  KEYS[2]  voters   ZSET  account by the number of its vote
  KEYS[3]  score    ZSET  article by score; with :<group> behind it, those of a group
  KEYS[4]  time     ZSET  article by itself; likewise
  KEYS[5]  best     ZSET  article by itself
  KEYS[6]  groups   ZSET  group by its number of articles
  KEYS[7]  owners   HASH  account by the group that it created
  ARGV[1]  now            ms, empty = the server's clock
  ARGV[2]  id             of the article
  ARGV[3]  author         whose vote is the first
  ARGV[4]  voter          empty = only rank the article
  ARGV[5]  joined         groups of its publication, with spaces between
  ARGV[6]  best_votes     votes from which on best lists an article
  ARGV[7]  ranking_max    entries of each score and time
  ARGV[8]  best_max       entries of best
  ARGV[9]  groups_max     groups in all; the article is not put into those that would be one too many

  Returns  {'counted', votes}; {'repeated', votes} when the voter or the publication is counted already;
           {'closed'} seven days after the publication; {'gone'} when the article is deleted
  Holds    votes = distinct voters, the author among them; score = seconds of publication + 432 * votes, in the ranking of each
           of its groups too
]]
--#include now
--#include article_rank
local article, voters, score, time, best, groups, owners = unpack(KEYS)
local now, id, author, voter, joined = now_ms(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local best_votes, ranking_max, best_max = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])

-- An id contains its time, see Id.java.
local published = math.floor(tonumber(id) / 4096) + 1704067200000
local deadline = published + 604800000

local facts = redis.call('HMGET', article, 'votes', 'gone', 'groups')
if facts[2] then
  return {'gone'}
end
local votes, before = tonumber(facts[1] or '0'), tonumber(facts[1] or '0')
if voter ~= '' and now >= deadline then
  return {'closed'}
end

if votes == 0 then
  votes = 1
  if now < deadline then
    redis.call('ZADD', voters, votes, author)
    redis.call('PEXPIRE', voters, string.format('%.0f', deadline - now))
  end
  article_rank(time, id, id, ranking_max)
  local into = {}
  for group in string.gmatch(joined, '%S+') do
    if article_join(score, time, owners, groups, group, author, 0, id, ranking_max, tonumber(ARGV[9])) then
      into[#into + 1] = group
    end
  end
  if #into > 0 then
    facts[3] = table.concat(into, ' ')
    redis.call('HSET', article, 'groups', facts[3])
  end
end
if voter ~= '' and redis.call('ZADD', voters, 'NX', votes + 1, voter) == 1 then
  votes = votes + 1
end
if votes == before then
  return {'repeated', votes}
end

redis.call('HSET', article, 'votes', votes)
local place = math.floor(published / 1000) + 432 * votes
article_rank(score, place, id, ranking_max)
for group in string.gmatch(facts[3] or '', '%S+') do
  article_rank(score .. ':' .. group, place, id, ranking_max)
end
if votes >= best_votes then
  article_rank(best, id, id, best_max)
end
return {'counted', votes}
