#!lua
--[[
  login_try - may somebody try a password now?

  A try makes the next one wait, longer each time: the n-th by n cubed, in such steps that ARGV[2] tries take ARGV[3]. What is below a second does not count. Addresses from
  which a log-in has succeeded lately have a bucket of their own, so that a stranger who tries and tries keeps the owner out of nothing there; everybody else shares one. There an address that has not tried within a window has one spare try, whatever the others did, as long as the newest try and the newest spare one are ARGV[4] ago:
  a stranger keeps the owner waiting no longer than that, even where the owner has never been.

  KEYS[1]  logins:{<login>}            HASH  tries; from, last: ms of the first and the newest; next: ms before which nobody may try; spare: ms of the newest spare try
  KEYS[2]  logins:{<login>}:<address>  HASH  known = 1 after a success from there, and then the same; else last: ms of its newest try, and spare = 1 when it was a spare one
  ARGV[1]  now     ms, empty = the server's clock
  ARGV[2]  max     tries
  ARGV[3]  window  ms; a bucket that was left alone for so long has forgotten its tries
  ARGV[4]  spare   ms; the longest wait of an address that has not tried yet, and the shortest time between two spare tries

  Returns  {1 when a log-in has succeeded from the address lately else 0, 0 or how many ms to wait: then the try does not count}
  Holds    never more than ARGV[2] tries of a bucket within ARGV[3] of its first one, apart from spare ones, of which never more than one within ARGV[4]; a wait is never longer than a window
]]
--#include now
local now, max, window, spare = now_ms(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local own = redis.call('HMGET', KEYS[2], 'known', 'last')
local known, tried_at = own[1], tonumber(own[2])
local bucket = known and KEYS[2] or KEYS[1]
local is_known = known and 1 or 0

local stored = redis.call('HMGET', bucket, 'tries', 'from', 'last', 'next', 'spare')
local tries, from, last = tonumber(stored[1]) or 0, tonumber(stored[2]) or now, tonumber(stored[3]) or now
local next_at = tonumber(stored[4]) or 0
if now - last >= window or now < last then
  tries, from, next_at = 0, now, 0
end
if now < next_at then
  local tried = tried_at and now >= tried_at and now - tried_at < window
  if known or tried then
    return { is_known, next_at - now }
  end
  local spare_at = math.min(next_at, math.max(last, tonumber(stored[5]) or 0) + spare)
  if now < spare_at then
    return { is_known, spare_at - now }
  end
  local at = string.format('%.0f', now)
  redis.call('HSET', bucket, 'spare', at)
  redis.call('HSET', KEYS[2], 'last', at, 'spare', 1)
  redis.call('PEXPIRE', KEYS[2], window)
  return { is_known, 0 }
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
  'HSET',
  bucket,
  'tries',
  tries,
  'from',
  string.format('%.0f', from),
  'last',
  string.format('%.0f', now),
  'next',
  string.format('%.0f', next_at)
)
if not known then
  redis.call('PEXPIRE', bucket, window)
  redis.call('HSET', KEYS[2], 'last', string.format('%.0f', now))
  redis.call('HDEL', KEYS[2], 'spare')
  redis.call('PEXPIRE', KEYS[2], window)
end
return { is_known, 0 }
