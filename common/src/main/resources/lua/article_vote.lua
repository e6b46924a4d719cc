#!lua
--[[
  article_vote - count the vote of an account for an article that can be voted on

  KEYS[1]  article  HASH  groups
  KEYS[2]  voters   ZSET  account by the score that its vote has brought
  KEYS[3]  score    ZSET  article by score; with :<group> behind it, those of a group
  KEYS[4]  best     ZSET  article by itself
  ARGV[1]  id     of the article
  ARGV[2]  voter
  ARGV[3]  good   score with which best lists the article

  Returns  counted; repeated, when the voter has voted already; unranked, when score does not have the article, be it that it is
           deleted
  Holds    votes = distinct voters; score = seconds of publication + 432 * votes, which therefore counts the votes, in the ranking
           of each of its groups too

  Every argument and every command costs: a vote should not take much longer than its commands alone. So the caller knows by its own
  clock that the voting is open, while the voters are kept for a day longer; and an article that comes back into the ranking of a
  group makes it longer until the next one is published there.
]]
local place = redis.call('ZADD', KEYS[3], 'XX', 'INCR', 432, ARGV[1])
if not place then
  return 'unranked'
end
if redis.call('ZADD', KEYS[2], 'NX', place, ARGV[2]) == 0 then
  redis.call('ZADD', KEYS[3], 'XX', 'INCR', -432, ARGV[1])
  return 'repeated'
end
local groups = redis.call('HGET', KEYS[1], 'groups')
if groups then
  for group in string.gmatch(groups, '%S+') do
    redis.call('ZADD', KEYS[3] .. ':' .. group, place, ARGV[1])
  end
end
if place == ARGV[3] then
  redis.call('ZADD', KEYS[4], ARGV[1], ARGV[1])
  redis.call('ZREMRANGEBYRANK', KEYS[4], 0, -51) -- BEST_MAX of Articles.java
end
return 'counted'
