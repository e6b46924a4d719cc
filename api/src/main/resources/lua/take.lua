#!lua
--[[
  take - count requests against limits: against all of them, or against none

  KEYS[1..n]  limit:{<group>}:<name>:<who>  HASH  taken: how many in this window; ends: its end, ms
  ARGV[1]     now     ms, empty = the server's clock
  of each key, in the order of the keys:
  ARGV[3i-1]  max     how many a window allows
  ARGV[3i]    window  ms; one begins with the first request after the one before has ended
  ARGV[3i+1]  count   how many to take

  Returns  {1 when they were taken else 0, number of the key that is told of, how many it has left, ms until its window ends}: of what was taken the key that has the fewest left, of
           what was refused that of the refusing keys whose window ends last
  Holds    of one window never more than max are taken; what is refused takes nothing
]]
-- For each request; a window without an end of its key is begun anew when it is over.
--#unchecked
--#include now
local now = now_ms(ARGV[1])
local windows, told, granted = {}, 1, true

for i, key in ipairs(KEYS) do
  local max, window, count = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  local stored = redis.call('HMGET', key, 'taken', 'ends')
  local taken, ends = tonumber(stored[1]), tonumber(stored[2])
  -- A window that ends later than one could is left over from a clock, or a setting, that was changed.
  local fresh = not ends or ends <= now or ends > now + window
  if fresh then
    taken, ends = 0, now + window
  end
  local one = {
    fresh = fresh,
    count = count,
    ends = ends,
    refuses = taken + count > max,
    left = max - taken,
  }
  windows[i] = one
  if one.refuses then
    if granted or ends > windows[told].ends then
      told = i
    end
    granted = false
  elseif granted and one.left - count < windows[told].left - windows[told].count then
    told = i
  end
end
local news = windows[told]
if not granted then
  return { 0, told, math.max(0, news.left), news.ends - now }
end
for i, key in ipairs(KEYS) do
  local one, count = windows[i], ARGV[3 * i + 1] -- As text, which costs Redis less than a number.
  if one.fresh then
    redis.call('HSET', key, 'taken', count, 'ends', string.format('%.0f', one.ends))
    redis.call('PEXPIRE', key, ARGV[3 * i])
  else
    redis.call('HINCRBY', key, 'taken', count)
  end
end
return { 1, told, news.left - news.count, news.ends - now }
