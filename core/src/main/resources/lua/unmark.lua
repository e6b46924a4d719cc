#!lua flags=allow-oom
--[[
  unmark - the near side of the end of what mark.lua began, with the job that finishes it

  KEYS[1]  set    ZSET  of the account: status id by edge id
  KEYS[2]  stats  HASH  of the queue
  KEYS[3]  high   LIST  lane
  ARGV[1]  now          ms, empty = the server's clock
  ARGV[2]  status
  ARGV[3]  job          type and fields without the edge, which comes last; empty = there is no far side

  Returns  the edge that has ended; nil when there was none
  Holds    the end of an edge and the job that finishes it come together

  Never refused for a full lane: what somebody takes back must go, and there are no more ends than beginnings, which are bounded.
]]
--#include now
--#include enqueue
local set, stats, high = unpack(KEYS)
local status, job = ARGV[2], ARGV[3]

local edge = redis.call('ZSCORE', set, status)
if not edge then
  return false
end
redis.call('ZREM', set, status)
if job ~= '' then
  enqueue(high, stats, now_ms(ARGV[1]), job .. ' ' .. edge)
end
return edge
