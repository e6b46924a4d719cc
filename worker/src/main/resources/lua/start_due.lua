#!lua flags=allow-oom
--[[
  start_due - let the jobs of a shard wait in a lane whose time has come

  KEYS[1]  timers  ZSET  job by the ms at which it is to be started
  KEYS[2]  lane    LIST
  KEYS[3]  stats   HASH  of the queue
  ARGV[1]  now           ms, empty = the server's clock; witnessed, see lib/now.lua: a clock that has jumped ahead starts nothing
  ARGV[2]  max           jobs to start

  Returns  {how many were started, ms until the next one is due, or -1 when there is none}
  Holds    a job is among the timers or has been enqueued, once
]]
--#include now
--#include enqueue
local timers, lane, stats = unpack(KEYS)
local now = now_ms(ARGV[1])

local due = redis.call('ZRANGE', timers, '-inf', string.format('%.0f', now), 'BYSCORE', 'LIMIT', 0, ARGV[2])
for _, job in ipairs(due) do
  redis.call('ZREM', timers, job)
  enqueue(lane, stats, now, job)
end
local next = redis.call('ZRANGE', timers, 0, 0, 'WITHSCORES')[2]
return { #due, next and math.max(0, tonumber(next) - now) or -1 }
