#!lua
--[[
  take - count requests against a limit

  KEYS[1]  limit:<name>:<who>  HASH  taken: how many in this window; ends: its end, ms
  ARGV[1]  now     ms, empty = the server's clock
  ARGV[2]  max     how many a window allows
  ARGV[3]  window  ms; one begins with the first request after the one before has ended
  ARGV[4]  count   how many to take: all of them, or none

  Returns  {1 when they were taken else 0, how many are left, ms until the window ends}
  Holds    of one window never more than max are taken; what is refused takes nothing
]]
--#include now
local bucket = KEYS[1]
local now, max, window, count = now_ms(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

local stored = redis.call('HMGET', bucket, 'taken', 'ends')
local taken, ends = tonumber(stored[1]), tonumber(stored[2])
-- A window that ends later than one could is left over from a clock, or a setting, that was changed.
local fresh = not ends or ends <= now or ends > now + window
if fresh then
  taken, ends = 0, now + window
end
if taken + count > max then
  return {0, math.max(0, max - taken), ends - now}
end
if fresh then
  redis.call('HSET', bucket, 'taken', count, 'ends', string.format('%.0f', ends))
  redis.call('PEXPIRE', bucket, window)
else
  redis.call('HINCRBY', bucket, 'taken', count)
end
return {1, max - taken - count, ends - now}
