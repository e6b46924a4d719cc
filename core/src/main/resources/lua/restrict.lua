#!lua flags=allow-oom
--[[
  restrict - limit an account or mark it as sensitive, or take that back

  KEYS[1]  user:{s}:u  HASH
  ARGV[1]  now    epoch ms, empty = the server's clock
  ARGV[2]  field  limited or sensitized
  ARGV[3]  on     '1' = from now on, '0' = no more
  ARGV[4]  act    number of the act on a selection of accounts, or of the act that is undone; empty = an act on this account alone

  Returns  1, also when an earlier run of the same act on a selection has done it; 0 when it was so already, or a later act decides; -1 when there is no such account, or it is deleted: then
           nothing is changed
  Holds    rev goes up with every change, in the same step, so that no post is made by what held before
]]
--#include now
--#include selected
local user, field, on = KEYS[1], ARGV[2], ARGV[3] == '1'

local state, since = unpack(redis.call('HMGET', user, 'state', field))
if state ~= 'active' and state ~= 'suspended' then
  return -1
end
local changes, answer = selected_turn(user, field, ARGV[4], on, since ~= false)
if not changes then
  return answer
end
if on then
  redis.call('HSET', user, field, string.format('%.0f', now_ms(ARGV[1])))
else
  redis.call('HDEL', user, field)
end
redis.call('HINCRBY', user, 'rev', 1)
return 1
