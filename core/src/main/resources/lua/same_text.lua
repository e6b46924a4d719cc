#!lua
--[[
  same_text - note that an account posts a text, and count the accounts that do so

  KEYS[1]  same     ZSET  account by the ms at which it last posted the text
  ARGV[1]  now            ms, empty = the server's clock
  ARGV[2]  account
  ARGV[3]  window         ms for which it counts
  ARGV[4]  max            accounts that are remembered, the newest

  Returns  the number of accounts within the window, this one among them; max at most
  Holds    the key ends with the window
]]
--#include now
local same = KEYS[1]
local now, window = now_ms(ARGV[1]), tonumber(ARGV[3])

redis.call('ZADD', same, string.format('%.0f', now), ARGV[2])
redis.call('ZREMRANGEBYSCORE', same, '-inf', string.format('(%.0f', now - window))
redis.call('ZREMRANGEBYRANK', same, '0', -1 - tonumber(ARGV[4]))
redis.call('PEXPIRE', same, ARGV[3])
return redis.call('ZCARD', same)
