#!lua
--[[
  archive_claim - take the author of a shard whose statuses are to be moved next

  KEYS[1]  due       ZSET  of the shard: author by the ms at which the next pass is due
  KEYS[2]  archived  HASH  of the shard, see lib/archived.lua
  ARGV[1]  now             ms, empty = the server's clock
  ARGV[2]  lease           ms that nobody else takes the author

  Returns  {author, pass, now}, or nil when none is due
  Holds    the numbers of the passes of a shard rise, so that of two workers with one author only the later one moves anything; an author that was ever claimed has a border,
           if only 0, so that every later delete is told to the archive
]]
--#include now
local due, archived = KEYS[1], KEYS[2]
local now, lease = now_ms(ARGV[1]), tonumber(ARGV[2])

local author = redis.call('ZRANGE', due, '-inf', now, 'BYSCORE', 'LIMIT', 0, 1)[1]
if not author then
  return false
end
local pass = string.format('%.0f', math.max(now, tonumber(redis.call('HGET', archived, 'pass') or '0') + 1))
redis.call('ZADD', due, now + lease, author)
redis.call('HSET', archived, 'pass', pass, 'p' .. author, pass)
redis.call('HSETNX', archived, author, '0')
return { author, pass, string.format('%.0f', now) }
