#!lua
--[[
  thaw - put an archived status back into Redis, to be written to

  KEYS[1]  status    HASH
  KEYS[2]  archived  HASH  of the shard, see lib/archived.lua
  KEYS[3]  thawed    ZSET  of the author: archived status that is in Redis again, by the ms at which it moves again
  KEYS[4]  due       ZSET  of the shard: author by the ms at which the next pass is due
  ARGV[1]  now             ms, empty = the server's clock
  ARGV[2]  author
  ARGV[3]  id
  ARGV[4]  moves           of the author, as they were before the row was read
  ARGV[5]  keep            ms for which it stays
  ARGV[6..] fields and values of the row

  Returns  1 when the status is in Redis, dead or alive; 0 when it is not archived; -1 when something of the author has moved since, so that the row may be old
  Holds    nothing that has moved since the row was read is overwritten by it; what is here is left alone
]]
--#include now
local status, archived, thawed, due = unpack(KEYS)
local author, id, keep = ARGV[2], ARGV[3], tonumber(ARGV[5])

if redis.call('EXISTS', status) == 1 then
  return 1
end
local border, moves = unpack(redis.call('HMGET', archived, author, 'f' .. author))
if tonumber(id) > tonumber(border or '0') then
  return 0
end
if (moves or '0') ~= ARGV[4] then
  return -1
end
local until_ms = now_ms(ARGV[1]) + keep
redis.call('HSET', status, 'cold', '1', unpack(ARGV, 6))
redis.call('ZADD', thawed, until_ms, id)
redis.call('ZADD', due, 'LT', until_ms, author)
return 1
