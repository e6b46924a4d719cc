#!lua flags=allow-oom
--[[
  unfollow - the follower's side of the end of an edge, with the job that finishes it

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
  ARGV[1]  now              ms, empty = the server's clock
  ARGV[2]  follower
  ARGV[3]  followee
  ARGV[4]  block            only while the followee blocks the follower by this edge, empty = in any case

  Returns  the edge that has ended; nil when there was none, or no such block
  Holds    counter = size of the set; the version goes up with every change of the set; noreposts, bells and endorsed are parts of it, and lists have nobody who is not followed

  Never refused for a full lane: what somebody no longer wants to see must go, and there are no more ends than follows, which are bounded.
]]
--#include now
--#include bump
--#include enqueue
--#include listed
local user, following, stats, lane, blockedby, noreposts, lists, set, bells, endorsed = unpack(KEYS)
local now, follower, followee, block = now_ms(ARGV[1]), ARGV[2], ARGV[3], ARGV[4]

if block ~= '' and redis.call('ZSCORE', blockedby, followee) ~= block then
  return false
end
local edge = redis.call('ZSCORE', following, followee)
if not edge then
  return false
end
redis.call('ZREM', following, followee)
redis.call('ZREM', noreposts, followee)
unlist(lists, set, followee)
redis.call('ZREM', bells, followee)
redis.call('ZREM', endorsed, followee)
redis.call('HSET', user, 'following', redis.call('ZCARD', following))
bump(user, now)
enqueue(lane, stats, now, 'unlink' .. job_version .. follower .. ' ' .. followee .. ' ' .. edge)
return edge
