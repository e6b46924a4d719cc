#!lua
--[[
  accept_senders - note whose notifications an account wants, whatever its policy says

  KEYS[1]   senders  ZSET  account id by the ms at which it was accepted
  ARGV[1]   now            ms, empty = the server's clock
  ARGV[2]   max            members of the set: whoever was accepted the longest ago leaves it
  ARGV[3..] sender         account id

  Returns  how many have left
]]
--#include now
local senders, now, max = KEYS[1], string.format('%.0f', now_ms(ARGV[1])), tonumber(ARGV[2])

for i = 3, #ARGV do
  redis.call('ZADD', senders, now, ARGV[i])
end
return redis.call('ZREMRANGEBYRANK', senders, 0, -max - 1)
