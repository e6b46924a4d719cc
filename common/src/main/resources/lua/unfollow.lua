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
--#include changes
--#include unfollow
local now = now_ms(ARGV[1])
return unfollow(KEYS, now, ARGV[3], ARGV[4], ARGV[5], one_by_one(KEYS[4], KEYS[3], now, ARGV[2]))
