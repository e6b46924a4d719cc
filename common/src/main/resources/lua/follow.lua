#!lua
--[[
  follow - the follower's side of a new edge, with the job that finishes it, or a change of its terms, with the job that makes sure of the event; or a new edge in the place of one that has
           ended on the other side; or a request to follow, with the job that finishes it; or the follow that a request becomes

  KEYS[1]  user       HASH    of the follower
  KEYS[2]  following  ZSET    of the follower: account id by edge id
  KEYS[3]  ids        STRING  last id of the shard
  KEYS[4]  stats      HASH    of the queue
  KEYS[5]  lane       LIST    that the job waits in
  KEYS[6]  blocks     ZSET    of the follower: account id by edge id
  KEYS[7]  blockedby  ZSET    of the follower: account id by edge id
  KEYS[8]  noreposts  ZSET    of the follower: account id by edge id
  KEYS[9]  bells      ZSET    of the follower: account id by edge id
  KEYS[10] endorsed   ZSET    of the follower: account id by edge id
  KEYS[11] requesting ZSET    of the follower: account id by the edge of a request
  KEYS[12] asked      HASH    of the follower: account id to the terms of a request, '<reposts>,<notify>' or '<reposts>,<notify>,<languages>' as below
  KEYS[13] languages  HASH    of the follower: account id to '<edge> <codes>'
  ARGV[1]  now                ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard              of the follower
  ARGV[3]  follower
  ARGV[4]  followee
  ARGV[5]  max                accounts that one may follow or ask to follow
  ARGV[6]  depth_max          jobs that the lane may hold
  ARGV[7]  reposts            1 = wanted, 0 = not wanted, empty = as before, of a new edge 1
  ARGV[8]  notify             1 = told of each post, 0 = not told, empty = as before, of a new edge 0
  ARGV[9]  ended              edge that the followee's side holds for ended: if the set still has it, a new one takes its place; empty = none. To admit: the only request that is meant, empty = whichever there is
  ARGV[10] how                follow; ask = request it unless it is followed already; admit = make a follow of the request that there is
  ARGV[11] wants              codes of the languages of which posts are wanted, with spaces between; * = all, empty = as before, of a new edge all

  Returns  {'new', edge, id, request}, with an id as of changed terms when the follower is to be told of each post, and the edge of the request that this has ended, else '0' for them; {'same', edge} when it was so
           already; {'terms', edge, id} when only what is wanted of it has changed, under this id; {'requested', request}; {'asked', request} when it was requested already; {'none'} when there is no request
           to admit; {'inactive'} without an active account; {'full'} at the limit; {'busy'} when the lane is full; {'blocking'} when the follower blocks the followee, {'blocked'} when it is the other way round
  Holds    counter = size of the set; the version goes up with every change of the set, of noreposts or of languages, which are parts of it as bells and endorsed are, by the same edge; nobody follows or asks whom they block.
           Whom they are blocked by they follow and ask no more once that is known here: who links the block then ends both. Nobody is both followed and asked. A request is no follow: nothing but requesting
           and asked knows of it. Admitting is never refused for a full lane or at the limit: there are no more requests than follows may be
]]
--#include now
--#include bump
--#include next_id
--#include enqueue
local user, following, ids, stats, lane, blocks, blockedby, noreposts, bells, endorsed, requesting, asked, languages = unpack(KEYS)
local now, shard, follower, followee = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]
local max, depth_max, reposts, notify, ended, how, wants = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7], ARGV[8], ARGV[9], ARGV[10], ARGV[11]

local pair = follower .. ' ' .. followee .. ' '

local request = redis.call('ZSCORE', requesting, followee)
if how == 'admit' and (not request or ended ~= '' and request ~= ended) then
  return {'none'}
end
if redis.call('ZSCORE', blocks, followee) then
  return {'blocking'}
end
if redis.call('ZSCORE', blockedby, followee) then
  return {'blocked'}
end
local edge = redis.call('ZSCORE', following, followee)
if edge and request then
  -- Made a follow by a process of an older version, which does not ask.
  redis.call('ZREM', requesting, followee)
  redis.call('HDEL', asked, followee)
  enqueue(lane, stats, now, 'unrequest' .. job_version .. pair .. request)
  request = false
end
local wanted = not redis.call('ZSCORE', noreposts, followee)
-- One that an unfollow by an older process has left is of another edge.
local told = edge and redis.call('ZSCORE', bells, followee) == edge
local renewed = edge and edge == ended
local of_edge, codes = string.match(redis.call('HGET', languages, followee) or '', '^(%d+) (.*)$')
local spoken = edge and of_edge == edge and codes or '*'
if edge and of_edge and of_edge ~= edge then
  -- Likewise.
  redis.call('HDEL', languages, followee)
  bump(user, now)
end
local endorses = renewed and redis.call('ZSCORE', endorsed, followee) == edge
if renewed then
  reposts, notify, wants, edge = wanted and '1' or '0', told and '1' or '0', spoken, false
end
if edge and (reposts == '' or wanted == (reposts == '1')) and (notify == '' or told == (notify == '1')) and (wants == '' or wants == spoken) then
  return {'same', edge}
end
if edge then
  if redis.call('LLEN', lane) >= depth_max then
    return {'busy'}
  end
  if reposts == '0' then
    redis.call('ZADD', noreposts, edge, followee)
  elseif reposts == '1' then
    redis.call('ZREM', noreposts, followee)
  end
  if notify == '1' then
    redis.call('ZADD', bells, edge, followee)
  elseif notify == '0' then
    redis.call('ZREM', bells, followee)
  end
  if wants == '*' then
    redis.call('HDEL', languages, followee)
  elseif wants ~= '' then
    redis.call('HSET', languages, followee, edge .. ' ' .. wants)
  end
  bump(user, now)
  local id = next_id(ids, shard, now)
  enqueue(lane, stats, now, 'terms' .. job_version .. pair .. id)
  return {'terms', edge, id}
end
if redis.call('HGET', user, 'state') ~= 'active' then
  return {'inactive'}
end
if request then
  local wants_reposts, wants_notify, wants_languages = string.match(redis.call('HGET', asked, followee) or ',', '^([^,]*),([^,]*),?(.*)$')
  reposts = reposts == '' and wants_reposts or reposts
  notify = notify == '' and wants_notify or notify
  wants = wants == '' and wants_languages or wants
end
local asks_again = how == 'ask' and request and request ~= ended
if how ~= 'admit' and not asks_again then
  local others = redis.call('ZCARD', following) + redis.call('ZCARD', requesting) - (request and 1 or 0)
  if not renewed and others >= max then
    return {'full'}
  end
  if redis.call('LLEN', lane) >= depth_max then
    return {'busy'}
  end
end
if how == 'ask' then
  if reposts == '' and notify == '' and wants == '' then
    redis.call('HDEL', asked, followee)
  else
    redis.call('HSET', asked, followee, reposts .. ',' .. notify .. (wants == '' and '' or ',' .. wants))
  end
  if asks_again then
    return {'asked', request}
  end
  request = next_id(ids, shard, now)
  redis.call('ZADD', requesting, request, followee)
  enqueue(lane, stats, now, 'request' .. job_version .. pair .. request)
  return {'requested', request}
end
if request then
  redis.call('ZREM', requesting, followee)
  redis.call('HDEL', asked, followee)
  enqueue(lane, stats, now, 'unrequest' .. job_version .. pair .. request)
end
edge = next_id(ids, shard, now)
redis.call('ZADD', following, edge, followee)
if reposts == '0' then
  redis.call('ZADD', noreposts, edge, followee)
end
if wants == '' or wants == '*' then
  redis.call('HDEL', languages, followee)
else
  redis.call('HSET', languages, followee, edge .. ' ' .. wants)
end
redis.call('HSET', user, 'following', redis.call('ZCARD', following))
if endorses then
  redis.call('ZADD', endorsed, edge, followee)
else
  redis.call('ZREM', endorsed, followee)
end
bump(user, now)
enqueue(lane, stats, now, 'link' .. job_version .. pair .. edge)
local id = '0'
if notify == '1' then
  redis.call('ZADD', bells, edge, followee)
  id = next_id(ids, shard, now)
  enqueue(lane, stats, now, 'terms' .. job_version .. pair .. id)
else
  redis.call('ZREM', bells, followee)
end
return {'new', edge, id, request or '0'}
