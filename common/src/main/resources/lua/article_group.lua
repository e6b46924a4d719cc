#!lua
--[[
  article_group - put an article into a group, or take it out

  KEYS[1]  article  HASH  groups; votes as long as score does not have it; or gone
  KEYS[2]  score    ZSET  article by score; with :<group> behind it, those of a group
  KEYS[3]  time     ZSET  article by itself; likewise
  KEYS[4]  groups   ZSET  group by its number of articles
  KEYS[5]  owners   HASH  account by the group that it created
  ARGV[1]  id             of the article
  ARGV[2]  author         of the article
  ARGV[3]  caller         who asks for it
  ARGV[4]  group
  ARGV[5]  action         in or out
  ARGV[6]  joined_max     groups of one article
  ARGV[7]  ranking_max    entries of each score and time
  ARGV[8]  groups_max     groups in all

  Returns  done, also when the article was there or away already; gone when it is deleted or not ranked; forbidden when the caller
           is neither its author nor the creator of the group; joined when it is in joined_max groups; full when there are groups_max
  Holds    an article is in the rankings of the groups that it names, with the score that it has everywhere
]]
--#include article_rank
--#include article_group
local article, score, time, groups, owners = unpack(KEYS)
local id, author, caller, group, action = unpack(ARGV, 1, 5)

local gone, kept, joined_by_now = unpack(redis.call('HMGET', article, 'gone', 'votes', 'groups'))
local place = redis.call('ZSCORE', score, id) or (kept and article_place(id, tonumber(kept)))
if gone or not place then
  return 'gone'
end
if caller ~= author and redis.call('HGET', owners, group) ~= caller then
  return 'forbidden'
end
local others, inside = {}, false
for joined in string.gmatch(joined_by_now or '', '%S+') do
  if joined == group then
    inside = true
  else
    others[#others + 1] = joined
  end
end
if (action == 'in') == inside then
  return 'done'
end
if action == 'in' then
  if #others >= tonumber(ARGV[6]) then
    return 'joined'
  end
  if not article_join(score, time, owners, groups, group, caller, place, id, tonumber(ARGV[7]), tonumber(ARGV[8])) then
    return 'full'
  end
  others[#others + 1] = group
else
  article_leave(score, time, owners, groups, group, id)
end
if #others == 0 then
  redis.call('HDEL', article, 'groups')
else
  redis.call('HSET', article, 'groups', table.concat(others, ' '))
end
return 'done'
