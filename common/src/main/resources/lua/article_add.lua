#!lua
--[[
  article_add - rank a published article with the vote of its author, or count a vote for an article that the ranking does not have

  KEYS[1]  article  HASH  groups; votes as long as score does not have it; or gone
  KEYS[2]  voters   SET   account
  KEYS[3]  score    ZSET  article by score; with :<group> behind it, those of a group
  KEYS[4]  time     ZSET  article by itself; likewise
  KEYS[5]  best     ZSET  article by itself
  KEYS[6]  groups   ZSET  group by its number of articles
  KEYS[7]  owners   HASH  account by the group that it created
  KEYS[8]  ballots  LIST  voters in the order of their votes
  ARGV[1]  id             of the article
  ARGV[2]  author         whose vote is the first
  ARGV[3]  voters_until   when the voters are forgotten, ms; empty = nobody can vote any more
  ARGV[4]  joined         groups of its publication, with spaces between
  ARGV[5]  voter          empty = only rank what is not ranked yet
  ARGV[6]  best_votes     votes from which on best lists an article
  ARGV[7]  best_max       entries of best
  ARGV[8]  ranking_max    entries of each score and time
  ARGV[9]  groups_max     groups in all; the article is not put into those that would be one too many
  ARGV[10] prefix         key of an article without its id

  Returns  counted; repeated, when the publication or the voter is counted already; gone, when the article is deleted;
           ranked, when there is a voter and the ranking has the article: article_vote counts the vote
  Holds    what leaves the ranking, or does not come so far, keeps its votes
]]
--#include now
--#include article_rank
--#include article_voters
--#include article_group
local article, voters, score, time, best, groups, owners, ballots = unpack(KEYS)
local id, author, voters_until, voter, ranking_max = ARGV[1], ARGV[2], ARGV[3], ARGV[5], tonumber(ARGV[8])

local gone, kept, groups_of = unpack(redis.call('HMGET', article, 'gone', 'votes', 'groups'))
if gone then
  return 'gone'
end
if redis.call('ZSCORE', score, id) then
  return voter == '' and 'repeated' or 'ranked'
end
if kept and voter == '' then
  return 'repeated'
end

local votes = tonumber(kept or '1')
if not kept then
  if voters_until ~= '' then
    local left = string.format('%.0f', tonumber(voters_until) - now_ms(''))
    local added = article_ballot(voters, ballots, author, article_place(id, votes))
    if type(added) ~= 'number' then
      return added
    end
    redis.call('PEXPIRE', voters, left)
    redis.call('PEXPIRE', ballots, left)
  end
  article_rank(time, id, id, ranking_max)
  local into = {}
  for group in string.gmatch(ARGV[4], '%S+') do
    if article_join(score, time, owners, groups, group, author, 0, id, ranking_max, tonumber(ARGV[9])) then
      into[#into + 1] = group
    end
  end
  if #into > 0 then
    groups_of = table.concat(into, ' ')
    redis.call('HSET', article, 'groups', groups_of)
  end
end
local new = 0
if voter ~= '' then
  new = article_ballot(voters, ballots, voter, article_place(id, votes + 1))
  if type(new) ~= 'number' then
    return new
  end
end
votes = votes + new
local place = article_place(id, votes)
redis.call('HDEL', article, 'votes')
article_rank(score, place, id, ranking_max, ARGV[10])
for group in string.gmatch(groups_of or '', '%S+') do
  article_rank(score .. ':' .. group, place, id, ranking_max)
end
if votes >= tonumber(ARGV[6]) then
  article_rank(best, id, id, tonumber(ARGV[7]))
end
return (voter == '' or new == 1) and 'counted' or 'repeated'
