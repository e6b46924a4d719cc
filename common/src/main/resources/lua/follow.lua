#!lua
--[[
  follow - the follower's side of a new edge, with the job that finishes it, or a change of its terms, with the job that makes sure of the event; or a new edge in the place of one that has
           ended on the other side

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
  ARGV[1]  now                ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard              of the follower
  ARGV[3]  follower
  ARGV[4]  followee
  ARGV[5]  max                accounts that one may follow
  ARGV[6]  depth_max          jobs that the lane may hold
  ARGV[7]  reposts            1 = wanted, 0 = not wanted, empty = as before, of a new edge 1
  ARGV[8]  notify             1 = told of each post, 0 = not told, empty = as before, of a new edge 0
  ARGV[9]  ended              edge that the followee's side holds for ended: if the set still has it, a new one takes its place; empty = none

  Returns  {'new', edge}, with an id as of changed terms when the follower is to be told of each post; {'same', edge} when it was so already; {'terms', edge, id} when only what is wanted of it has changed, under this id; {'inactive'} without an active account; {'full'} at the limit; {'busy'} when the lane is full;
           {'blocking'} when the follower blocks the followee, {'blocked'} when it is the other way round
  Holds    counter = size of the set; the version goes up with every change of the set or of noreposts, which is a part of it as bells and endorsed are, by the same edge; nobody follows whom they block. Whom they are blocked by they follow no more once that is
           known here: who links the block then ends the follow
]]
--#include now
--#include bump
--#include next_id
--#include enqueue
local user, following, ids, stats, lane, blocks, blockedby, noreposts, bells, endorsed = unpack(KEYS)
local now, shard, follower, followee = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]
local max, depth_max, reposts, notify, ended = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7], ARGV[8], ARGV[9]

if redis.call('ZSCORE', blocks, followee) then
  return {'blocking'}
end
if redis.call('ZSCORE', blockedby, followee) then
  return {'blocked'}
end
local edge = redis.call('ZSCORE', following, followee)
local wanted = not redis.call('ZSCORE', noreposts, followee)
-- One that an unfollow by an older process has left is of another edge.
local told = edge and redis.call('ZSCORE', bells, followee) == edge
local renewed = edge and edge == ended
local endorses = renewed and redis.call('ZSCORE', endorsed, followee) == edge
if renewed then
  reposts, notify, edge = wanted and '1' or '0', told and '1' or '0', false
end
if edge and (reposts == '' or wanted == (reposts == '1')) and (notify == '' or told == (notify == '1')) then
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
  bump(user, now)
  local id = next_id(ids, shard, now)
  enqueue(lane, stats, now, 'terms' .. job_version .. follower .. ' ' .. followee .. ' ' .. id)
  return {'terms', edge, id}
end
if redis.call('HGET', user, 'state') ~= 'active' then
  return {'inactive'}
end
if not renewed and redis.call('ZCARD', following) >= max then
  return {'full'}
end
if redis.call('LLEN', lane) >= depth_max then
  return {'busy'}
end
edge = next_id(ids, shard, now)
redis.call('ZADD', following, edge, followee)
if reposts == '0' then
  redis.call('ZADD', noreposts, edge, followee)
end
redis.call('HSET', user, 'following', redis.call('ZCARD', following))
if endorses then
  redis.call('ZADD', endorsed, edge, followee)
else
  redis.call('ZREM', endorsed, followee)
end
bump(user, now)
enqueue(lane, stats, now, 'link' .. job_version .. follower .. ' ' .. followee .. ' ' .. edge)
if notify == '1' then
  redis.call('ZADD', bells, edge, followee)
  local id = next_id(ids, shard, now)
  enqueue(lane, stats, now, 'terms' .. job_version .. follower .. ' ' .. followee .. ' ' .. id)
  return {'new', edge, id}
end
redis.call('ZREM', bells, followee)
return {'new', edge}
