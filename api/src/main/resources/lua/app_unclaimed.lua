#!lua
--[[
  app_unclaimed - list an app that nobody has logged in with; a full list loses those that did nothing for the longest time

  KEYS[1]  {apps}:unclaimed  ZSET  client id by the ms at which it was registered or got its newest token
  ARGV[1]  now     ms, empty = the server's clock
  ARGV[2]  client  id
  ARGV[3]  life    ms after which an app is gone that has done nothing
  ARGV[4]  max     how many the list may hold

  Returns  the client ids that had to go for it, at most 100
]]
--#include now
local list, now, max = KEYS[1], now_ms(ARGV[1]), tonumber(ARGV[4])
redis.call('ZREMRANGEBYSCORE', list, '-inf', string.format('%.0f', now - tonumber(ARGV[3])))
redis.call('ZADD', list, string.format('%.0f', now), ARGV[2])
local surplus = math.min(100, redis.call('ZCARD', list) - max)
if surplus <= 0 then
  return {}
end
local gone = redis.call('ZRANGE', list, 0, surplus - 1)
redis.call('ZREM', list, unpack(gone))
return gone
