#!lua
--[[
  follow_some - what follow.lua does for one account, for several that one follower follows or asks at once, with one job for all, or one for each hundred changes

  KEYS[1]   user       HASH    of the follower
  KEYS[2]   following  ZSET    of the follower: account id by edge id
  KEYS[3]   ids        STRING  last id of the shard
  KEYS[4]   stats      HASH    of the queue
  KEYS[5]   lane       LIST    that the job waits in
  KEYS[6]   blocks     ZSET    of the follower: account id by edge id
  KEYS[7]   blockedby  ZSET    of the follower: account id by edge id
  KEYS[8]   noreposts  ZSET    of the follower: account id by edge id
  KEYS[9]   bells      ZSET    of the follower: account id by edge id
  KEYS[10]  endorsed   ZSET    of the follower: account id by edge id
  KEYS[11]  requesting ZSET    of the follower: account id by the edge of a request
  KEYS[12]  asked      HASH    of the follower: account id to the terms of a request
  KEYS[13]  languages  HASH    of the follower: account id to '<edge> <codes>'
  ARGV[1]   now                ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]   shard              of the follower
  ARGV[3]   follower
  ARGV[4]   max                accounts that one may follow or ask to follow
  ARGV[5]   depth_max          jobs that the lane may hold
  ARGV[6..] followee, how      follow or ask, as in follow.lua; terms stay as they are

  Returns  what follow.lua returns, for each in order
  Holds    as follow.lua; a full lane refuses all of them, or those behind the hundred changes that have filled it
]]
--#include now
--#include bump
--#include next_id
--#include enqueue
--#include changes
--#include follow
local now = now_ms(ARGV[1])
local by = {
  now = now,
  shard = tonumber(ARGV[2]),
  max = tonumber(ARGV[4]),
  depth_max = tonumber(ARGV[5]),
  reposts = '',
  notify = '',
  ended = '',
  wants = '',
}
local put, flush = together(KEYS[5], KEYS[4], now, ARGV[3])

local answers = {}
for i = 6, #ARGV, 2 do
  answers[#answers + 1] = follow(KEYS, by, ARGV[i], ARGV[i + 1], put)
end
flush()
return answers
