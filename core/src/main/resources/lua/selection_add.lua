#!lua flags=allow-oom
--[[
  selection_add - keep a selection of accounts until its life ends

  KEYS[1]  {moderation}:selections         ZSET  number of a selection by the ms at which it ends
  KEYS[2]  {moderation}:selection:<number>  HASH  see Selections.java
  KEYS[3]  {moderation}:selected:<number>   LIST  account ids
  ARGV[1]  now       epoch ms, empty = the server's clock
  ARGV[2]  number
  ARGV[3]  life      ms
  ARGV[4]  max       selections kept
  ARGV[5]  fields    how many of the following arguments are fields and values of the HASH
  ARGV[6..]          fields and values, then account ids

  Returns  1; 0 when max selections are kept: then nothing is changed
  Holds    the selection and its accounts appear together, and end together
]]
--#include now
local selections, selection, selected = unpack(KEYS)
local now, number, life, fields = now_ms(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[5])

redis.call('ZREMRANGEBYSCORE', selections, '-inf', string.format('%.0f', now))
if redis.call('ZCARD', selections) >= tonumber(ARGV[4]) then
  return 0
end
redis.call('ZADD', selections, string.format('%.0f', now + tonumber(life)), number)
redis.call('HSET', selection, 'made', string.format('%.0f', now), unpack(ARGV, 6, 5 + fields))
for i = 6 + fields, #ARGV, 100 do
  redis.call('RPUSH', selected, unpack(ARGV, i, math.min(i + 99, #ARGV)))
end
redis.call('PEXPIRE', selection, life)
redis.call('PEXPIRE', selected, life)
return 1
