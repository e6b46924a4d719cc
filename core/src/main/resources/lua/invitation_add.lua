#!lua
--[[
  invitation_add - keep a new invitation

  KEYS[1]  codes  HASH  code to '<inviter> <made, ms> <ends, ms> <max> <uses> <comment>', 0 = never ends, or as many uses as people like
  KEYS[2]  own    ZSET  code by its inviter
  KEYS[3]  ends   ZSET  code by the ms at which it ends, or was used up
  ARGV[1]  now      ms, empty = the server's clock
  ARGV[2]  code
  ARGV[3]  inviter
  ARGV[4]  life     ms, 0 = it never ends
  ARGV[5]  max      uses, 0 = no bound
  ARGV[6]  comment
  ARGV[7]  own max  invitations of one inviter
  ARGV[8]  all max  invitations of all
  ARGV[9]  kept     ms that one is kept after its end

  Returns  what is kept; 0 when the inviter has as many as may be, -1 when all have: then nothing is added
  Holds    the three keys have the same codes, but for codes that never end, which the last lacks
]]
--#include now
local codes, own, ends = unpack(KEYS)
local now, code, inviter, life = now_ms(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4])

local old =
  redis.call('ZRANGE', ends, '-inf', string.format('(%.0f', now - tonumber(ARGV[9])), 'BYSCORE', 'LIMIT', 0, 100)
if #old > 0 then
  redis.call('HDEL', codes, unpack(old))
  redis.call('ZREM', own, unpack(old))
  redis.call('ZREM', ends, unpack(old))
end
if #redis.call('ZRANGE', own, inviter, inviter, 'BYSCORE', 'LIMIT', 0, ARGV[7]) >= tonumber(ARGV[7]) then
  return 0
end
if redis.call('ZCARD', own) >= tonumber(ARGV[8]) then
  return -1
end
local made, ending = string.format('%.0f', now), '0'
if life > 0 then
  ending = string.format('%.0f', now + life)
  redis.call('ZADD', ends, ending, code)
end
local line = table.concat({ inviter, made, ending, ARGV[5], '0', ARGV[6] }, ' ')
redis.call('HSET', codes, code, line)
redis.call('ZADD', own, inviter, code)
return line
