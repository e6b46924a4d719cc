#!lua flags=allow-oom
--[[
  restrict - limit an account or mark it as sensitive, or take that back

  KEYS[1]  user:{s}:u  HASH
  ARGV[1]  now    epoch ms, empty = the server's clock
  ARGV[2]  field  limited or sensitized
  ARGV[3]  on     '1' = from now on, '0' = no more

  Returns  1; 0 when it was so already, -1 when there is no such account, or it is deleted: then nothing is changed
  Holds    rev goes up with every change, in the same step, so that no post is made by what held before
]]
--#include now
local user, field, on = KEYS[1], ARGV[2], ARGV[3] == '1'

local state, since = unpack(redis.call('HMGET', user, 'state', field))
if state ~= 'active' and state ~= 'suspended' then
  return -1
end
if on == (since ~= false) then
  return 0
end
if on then
  redis.call('HSET', user, field, string.format('%.0f', now_ms(ARGV[1])))
else
  redis.call('HDEL', user, field)
end
redis.call('HINCRBY', user, 'rev', 1)
return 1
