#!lua
--[[
  follow - the follower's side of a new edge, with the job that finishes it

  KEYS[1]  user       HASH    of the follower
  KEYS[2]  following  ZSET    of the follower: account id by edge id
  KEYS[3]  ids        STRING  last id of the shard
  KEYS[4]  stats      HASH    of the queue
  KEYS[5]  lane       LIST    that the job waits in
  KEYS[6]  blocks     ZSET    of the follower: account id by edge id
  KEYS[7]  blockedby  ZSET    of the follower: account id by edge id
  ARGV[1]  now                ms, empty = the server's clock
  ARGV[2]  shard              of the follower
  ARGV[3]  follower
  ARGV[4]  followee
  ARGV[5]  max                accounts that one may follow
  ARGV[6]  depth_max          jobs that the lane may hold

  Returns  {'new', edge}; {'same', edge} when it was so already; {'inactive'} without an active account; {'full'} at the limit; {'busy'} when the lane is full;
           {'blocking'} when the follower blocks the followee, {'blocked'} when it is the other way round
  Holds    counter = size of the set; the version goes up with every change of the set; nobody follows whom they block. Whom they are blocked by they follow no more once that is
           known here: who links the block then ends the follow
]]
--#include now
--#include bump
--#include next_id
--#include enqueue
local user, following, ids, stats, lane, blocks, blockedby = unpack(KEYS)
local now, shard, follower, followee = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]
local max, depth_max = tonumber(ARGV[5]), tonumber(ARGV[6])

if redis.call('ZSCORE', blocks, followee) then
  return {'blocking'}
end
if redis.call('ZSCORE', blockedby, followee) then
  return {'blocked'}
end
local edge = redis.call('ZSCORE', following, followee)
if edge then
  return {'same', edge}
end
if redis.call('HGET', user, 'state') ~= 'active' then
  return {'inactive'}
end
if redis.call('ZCARD', following) >= max then
  return {'full'}
end
if redis.call('LLEN', lane) >= depth_max then
  return {'busy'}
end
edge = next_id(ids, shard, now)
redis.call('ZADD', following, edge, followee)
redis.call('HSET', user, 'following', redis.call('ZCARD', following))
bump(user, now)
enqueue(lane, stats, now, 'link.1 ' .. follower .. ' ' .. followee .. ' ' .. edge)
return {'new', edge}
