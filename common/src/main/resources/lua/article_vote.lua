#!lua
--[[
  article_vote - count votes of accounts for articles that can be voted on

  KEYS[1]  score    ZSET  article by score; with :<group> behind it, those of a group
  KEYS[2]  best     ZSET  article by itself
  KEYS[3]  article  HASH  groups
  KEYS[4]  voters   SET   account
  KEYS[5]  ballots  LIST  voters in the order of their votes
  ...                     the last three of each further vote
  ARGV[1]  id     of the article
  ARGV[2]  voter
  ARGV[3]  good   score with which best lists the article
  ...             these of each further vote

  Returns  of each vote: counted; repeated, when the voter has voted already; unranked, when score does not have the article, be it that
           it is deleted; failed, when a key has another type, which keeps no other vote from being counted
  Holds    votes = distinct voters; score = seconds of publication + 432 * votes, which therefore counts the votes, in the ranking
           of each of its groups too

  A vote should not take much longer than its commands alone. So those that come together are one call; the caller knows by its own
  clock that the voting is open, while the voters are kept for a day longer; and an article that comes back into the ranking of a
  group makes it longer until the next one is put into the group.
]]
--#include article_voters
local score, best = KEYS[1], KEYS[2]

local function vote(article, voters, ballots, id, voter, good)
  local place = redis.call('ZADD', score, 'XX', 'INCR', 432, id)
  if not place then
    return 'unranked'
  end
  local added = article_ballot(voters, ballots, voter, place)
  if added ~= 1 then
    redis.call('ZADD', score, 'XX', 'INCR', -432, id)
    return added == 0 and 'repeated' or 'failed'
  end
  local groups = redis.pcall('HGET', article, 'groups')
  if type(groups) == 'string' then
    for group in string.gmatch(groups, '%S+') do
      redis.pcall('ZADD', score .. ':' .. group, place, id)
    end
  end
  if place == good then
    redis.call('ZADD', best, id, id)
    redis.call('ZREMRANGEBYRANK', best, 0, -51) -- BEST_MAX of Articles.java
  end
  return 'counted'
end

local outcomes = {}
for i = 1, #ARGV / 3 do
  local key, arg = 3 * i, 3 * i - 2
  outcomes[i] = vote(KEYS[key], KEYS[key + 1], KEYS[key + 2], ARGV[arg], ARGV[arg + 1], ARGV[arg + 2])
end
return outcomes
