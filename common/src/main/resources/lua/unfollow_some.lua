#!lua flags=allow-oom
--[[
  unfollow_some - what unfollow.lua does for one account, for several that one follower follows or asks to follow, with one job for all, or one for each hundred changes

  KEYS[1]   user       HASH  of the follower
  KEYS[2]   following  ZSET  of the follower: account id by edge id
  KEYS[3]   stats      HASH  of the queue
  KEYS[4]   lane       LIST  that the job waits in
  KEYS[5]   blockedby  ZSET  of the follower: account id by edge id
  KEYS[6]   noreposts  ZSET  of the follower: account id by edge id
  KEYS[7]   lists      HASH  of the follower: list id to what it is
  KEYS[8]   listed     ZSET  of the follower: see lib/listed.lua
  KEYS[9]   bells      ZSET  of the follower: account id by edge id
  KEYS[10]  endorsed   ZSET  of the follower: account id by edge id
  KEYS[11]  requesting ZSET  of the follower: account id by the edge of a request
  KEYS[12]  asked      HASH  of the follower: account id to the terms of a request
  KEYS[13]  languages  HASH  of the follower: account id to '<edge> <codes>'
  ARGV[1]   now              ms, empty = the server's clock
  ARGV[2]   follower
  ARGV[3..] followees

  Returns  {edge, request} that have ended, for each in order, '0' for what there was not
  Holds    as unfollow.lua; never refused for a full lane
]]
--#include now
--#include bump
--#include enqueue
--#include listed
--#include changes
--#include unfollow
local now = now_ms(ARGV[1])
local put, flush = together(KEYS[4], KEYS[3], now, ARGV[2])

local answers = {}
for i = 3, #ARGV do
  answers[#answers + 1] = unfollow(KEYS, now, ARGV[i], '', 'all', put) or { '0', '0' }
end
flush()
return answers
