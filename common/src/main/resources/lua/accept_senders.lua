#!lua
--[[
  accept_senders - note whose notifications an account wants, whatever its policy says

  KEYS[1]   senders  ZSET  account id by the ms at which it was accepted
  ARGV[1]   now            ms, empty = the server's clock
  ARGV[2]   max            members of the set
  ARGV[3..] sender         account id

  Returns  1; 0 when there would be too many, and then none is noted
]]
--#include now
local senders, now, max = KEYS[1], string.format('%.0f', now_ms(ARGV[1])), tonumber(ARGV[2])

local new = 0
for i = 3, #ARGV do
  if not redis.call('ZSCORE', senders, ARGV[i]) then
    new = new + 1
  end
end
if redis.call('ZCARD', senders) + new > max then
  return 0
end
for i = 3, #ARGV do
  redis.call('ZADD', senders, 'NX', now, ARGV[i])
end
return 1
