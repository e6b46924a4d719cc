#!lua flags=allow-oom
--[[
  unmute - the end of a mute, with the job that makes sure of the event

  KEYS[1]  mutes  ZSET  of who mutes: account id by edge id
  KEYS[2]  heard  ZSET  of who mutes: account id by edge id
  KEYS[3]  stats  HASH  of the queue
  KEYS[4]  high   LIST  lane
  KEYS[5]  ends   ZSET  of who mutes: account id by ms
  ARGV[1]  now          ms, empty = the server's clock
  ARGV[2]  muter
  ARGV[3]  muted

  Returns  the edge that has ended; nil when there was none
  Holds    heard and ends are parts of mutes

  Never refused for a full lane: there are no more ends than mutes, which are bounded.
]]
--#include now
--#include enqueue
local mutes, heard, stats, high, ends = unpack(KEYS)
local now, muter, muted = now_ms(ARGV[1]), ARGV[2], ARGV[3]

local edge = redis.call('ZSCORE', mutes, muted)
redis.call('ZREM', heard, muted)
redis.call('ZREM', ends, muted)
if not edge then
  return false
end
redis.call('ZREM', mutes, muted)
enqueue(high, stats, now, 'unmute' .. job_version .. muter .. ' ' .. muted .. ' ' .. edge)
return edge
