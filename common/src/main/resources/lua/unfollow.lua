#!lua flags=allow-oom
--[[
  unfollow - the follower's side of the end of an edge, or of a request for one, with the job that finishes it

  KEYS[1]  user       HASH  of the follower
  KEYS[2]  following  ZSET  of the follower: account id by edge id
  KEYS[3]  stats      HASH  of the queue
  KEYS[4]  lane       LIST  that the job waits in
  KEYS[5]  blockedby  ZSET  of the follower: account id by edge id
  KEYS[6]  noreposts  ZSET  of the follower: account id by edge id
  KEYS[7]  lists      HASH  of the follower: list id to what it is
  KEYS[8]  listed     ZSET  of the follower: see lib/listed.lua
  KEYS[9]  bells      ZSET  of the follower: account id by edge id
  KEYS[10] endorsed   ZSET  of the follower: account id by edge id
  KEYS[11] requesting ZSET  of the follower: account id by the edge of a request
  KEYS[12] asked      HASH  of the follower: account id to the terms of a request
  KEYS[13] languages  HASH  of the follower: account id to '<edge> <codes>'
  ARGV[1]  now              ms, empty = the server's clock
  ARGV[2]  follower
  ARGV[3]  followee
  ARGV[4]  block            only while the followee blocks the follower by this edge, empty = in any case
  ARGV[5]  what             all; request = a follow stays

  Returns  {edge, request} that have ended, '0' for what there was not; nil when there was neither, or no such block
  Holds    counter = size of the set; the version goes up with every change of the set; noreposts, bells, endorsed and languages are parts of it, and lists have nobody who is not followed

  Never refused for a full lane: what somebody no longer wants to see must go, and there are no more ends than follows, which are bounded.
]]
--#include now
--#include bump
--#include enqueue
--#include listed
local user, following, stats, lane, blockedby, noreposts, lists, set, bells, endorsed, requesting, asked, languages = unpack(KEYS)
local now, follower, followee, block = now_ms(ARGV[1]), ARGV[2], ARGV[3], ARGV[4]

if block ~= '' and redis.call('ZSCORE', blockedby, followee) ~= block then
  return false
end
local edge = ARGV[5] == 'all' and redis.call('ZSCORE', following, followee)
local request = redis.call('ZSCORE', requesting, followee)
if not edge and not request then
  return false
end
if request then
  redis.call('ZREM', requesting, followee)
  redis.call('HDEL', asked, followee)
  enqueue(lane, stats, now, 'unrequest' .. job_version .. follower .. ' ' .. followee .. ' ' .. request)
end
if not edge then
  return {'0', request}
end
redis.call('ZREM', following, followee)
redis.call('ZREM', noreposts, followee)
redis.call('HDEL', languages, followee)
unlist(lists, set, followee)
redis.call('ZREM', bells, followee)
redis.call('ZREM', endorsed, followee)
redis.call('HSET', user, 'following', redis.call('ZCARD', following))
bump(user, now)
enqueue(lane, stats, now, 'unlink' .. job_version .. follower .. ' ' .. followee .. ' ' .. edge)
return {edge, request or '0'}
