#!lua flags=allow-oom
--[[
  unblock - the blocker's side of the end of a block, with the job that finishes it

  KEYS[1]  blocks  ZSET  of the blocker: account id by edge id
  KEYS[2]  stats   HASH  of the queue
  KEYS[3]  high    LIST  lane
  ARGV[1]  now           ms, empty = the server's clock
  ARGV[2]  blocker
  ARGV[3]  blocked

  Returns  the edge that has ended; nil when there was none

  Never refused for a full lane: there are no more ends than blocks, which are bounded.
]]
--#include now
--#include enqueue
local blocks, stats, high = unpack(KEYS)
local now, blocker, blocked = now_ms(ARGV[1]), ARGV[2], ARGV[3]

local edge = redis.call('ZSCORE', blocks, blocked)
if not edge then
  return false
end
redis.call('ZREM', blocks, blocked)
enqueue(high, stats, now, 'unblock' .. job_version .. blocker .. ' ' .. blocked .. ' ' .. edge)
return edge
