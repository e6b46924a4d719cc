#!lua
--[[
  login_try - may somebody try a password now?

  A try makes the next one wait, longer each time: the n-th by n cubed, in such steps that ARGV[2] tries take ARGV[3]. What is below a second does not count. Addresses from
  which a log-in has succeeded lately have a bucket of their own, so that a stranger who tries and tries keeps the owner out of nothing there; everybody else shares one.

  KEYS[1]  logins:{<login>}            HASH  tries; from, last: ms of the first and the newest; next: ms before which nobody may try
  KEYS[2]  logins:{<login>}:<address>  HASH  the same, and known = 1; exists after a success from there
  ARGV[1]  now     ms, empty = the server's clock
  ARGV[2]  max     tries
  ARGV[3]  window  ms; a bucket that was left alone for so long has forgotten its tries

  Returns  0, or how many ms to wait: then the try does not count
  Holds    never more than ARGV[2] tries of a bucket within ARGV[3] of its first one; a wait is never longer than a window
]]
--#include now
local now, max, window = now_ms(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local known = redis.call('EXISTS', KEYS[2]) == 1
local bucket = known and KEYS[2] or KEYS[1]

local stored = redis.call('HMGET', bucket, 'tries', 'from', 'last', 'next')
local tries, from, last = tonumber(stored[1]) or 0, tonumber(stored[2]) or now, tonumber(stored[3]) or now
local next_at = tonumber(stored[4]) or 0
if now - last >= window or now < last then
  tries, from, next_at = 0, now, 0
end
if now < next_at then
  return next_at - now
end
if tries == 0 then
  from = now
end
tries = tries + 1
local step = math.min(tries, max)
local wait = math.ceil(window * 4 * step ^ 3 / (max * (max + 1)) ^ 2)
if wait < 1000 then
  wait = 0
end
next_at = now + wait
if tries >= max then
  next_at = math.max(next_at, from + window)
end
redis.call(
  'HSET', bucket, 'tries', tries, 'from', string.format('%.0f', from), 'last', string.format('%.0f', now),
  'next', string.format('%.0f', next_at))
if not known then
  redis.call('PEXPIRE', bucket, window)
end
return 0
