#!lua
--[[
  invitation_use - take a use of an invitation, look whether there is one, or give one back

  KEYS[1]  codes  HASH  see invitation_add
  KEYS[2]  ends   ZSET  code by the ms at which it ends, or was used up
  ARGV[1]  now    ms, empty = the server's clock
  ARGV[2]  code
  ARGV[3]  change  1 = take, 0 = look, -1 = give back

  Returns  the inviter; false when there is no such invitation, it has ended or is used up: then nothing is changed
  Holds    never more uses are taken, and not given back, than the invitation has
]]
--#include now
local codes, ends = KEYS[1], KEYS[2]
local now, code, change = now_ms(ARGV[1]), ARGV[2], tonumber(ARGV[3])

local line = redis.call('HGET', codes, code)
if not line then
  return false
end
local inviter, made, ending, max, uses, comment = string.match(line, '^(%d+) (%d+) (%d+) (%d+) (%d+) (.*)$')
max, uses = tonumber(max), tonumber(uses)
local over = ending ~= '0' and tonumber(ending) <= now
if change >= 0 and (over or (max > 0 and uses >= max)) then
  return false
end
if change == 0 or uses + change < 0 then
  return inviter
end
uses = uses + change
redis.call('HSET', codes, code, table.concat({ inviter, made, ending, max, uses, comment }, ' '))
if max > 0 and uses == max then
  redis.call('ZADD', ends, string.format('%.0f', now), code)
elseif ending ~= '0' then
  redis.call('ZADD', ends, ending, code)
else
  redis.call('ZREM', ends, code)
end
return inviter
