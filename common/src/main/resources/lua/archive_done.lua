#!lua flags=allow-oom
--[[
  archive_done - end a pass of an author, and say when the next one is due

  KEYS[1]  due       ZSET  of the shard: author by the ms at which the next pass is due
  KEYS[2]  archived  HASH  of the shard, see lib/archived.lua
  KEYS[3]  profile   ZSET  of the author
  KEYS[4]  thawed    ZSET  of the author: archived status that is in Redis again, by the ms at which it moves again
  ARGV[1]  now             ms, empty = the server's clock
  ARGV[2]  author
  ARGV[3]  pass
  ARGV[4]  profile_max     statuses that stay, 0 = all
  ARGV[5]  delay           ms to the next pass if there is more to do

  Returns  1 when a next pass is due, else 0
  Holds    an author with something left to move stays due
]]
--#include now
local due, archived, profile, thawed = unpack(KEYS)
local now, author, pass, profile_max, delay = now_ms(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])

if redis.call('HGET', archived, 'p' .. author) ~= pass then
  return 1
end
if profile_max > 0 and redis.call('ZCARD', profile) > profile_max then
  redis.call('ZADD', due, now + delay, author)
  return 1
end
local first = redis.call('ZRANGE', thawed, 0, 0, 'WITHSCORES')[2]
if first then
  redis.call('ZADD', due, math.max(tonumber(first), now + delay), author)
  return 1
end
redis.call('ZREM', due, author)
return 0
