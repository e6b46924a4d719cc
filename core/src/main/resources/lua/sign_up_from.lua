#!lua
--[[
  sign_up_from - note the network that an account has signed up from, in digests

  KEYS[1]  {sign-ups}:times     ZSET  account by the ms of its sign-up
  KEYS[2]  {sign-ups}:networks  HASH  account to the digests of its networks
  ARGV[1]  now                  ms, empty = the server's clock
  ARGV[2]  account
  ARGV[3]  digests              with spaces between
  ARGV[4]  life                 ms that they are kept
  ARGV[5]  max                  accounts that are kept, the newest

  Returns  how many are kept
  Holds    both keys have the same accounts; none is older than its life by more than the time until the next sign-up, and both go when the newest has reached it
]]
--#include now
local times, networks = unpack(KEYS)
local now, account, digests, life, max = now_ms(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])

redis.call('ZADD', times, string.format('%.0f', now), account)
redis.call('HSET', networks, account, digests)
-- In steps, should a setting have made many of them too old or too many at once.
local old = redis.call('ZRANGE', times, '-inf', string.format('(%.0f', now - life), 'BYSCORE', 'LIMIT', 0, 1000)
if #old == 0 and redis.call('ZCARD', times) > max then
  old = redis.call('ZRANGE', times, 0, math.min(1000, redis.call('ZCARD', times) - max) - 1)
end
if #old > 0 then
  redis.call('ZREM', times, unpack(old))
  redis.call('HDEL', networks, unpack(old))
end
redis.call('PEXPIRE', times, string.format('%.0f', life))
redis.call('PEXPIRE', networks, string.format('%.0f', life))
return redis.call('ZCARD', times)
