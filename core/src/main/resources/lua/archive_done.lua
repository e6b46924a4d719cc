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
  ARGV[6]  profile_age     ms after which a status of the profile is to be moved, 0 = never

  Returns  1 when a next pass is due, else 0
  Holds    an author with something left to move stays due
]]
--#include now
--#include subject_ms
--#include archive_next
local due, archived, profile, thawed = unpack(KEYS)
local now, author, pass = now_ms(ARGV[1]), ARGV[2], ARGV[3]
local profile_max, delay, profile_age = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])

if redis.call('HGET', archived, 'p' .. author) ~= pass then
  return 1
end
local at = archive_next(profile, profile_max, profile_age, now)
local first = redis.call('ZRANGE', thawed, 0, 0, 'WITHSCORES')[2]
if first then
  at = math.min(at or math.huge, tonumber(first))
end
if at then
  redis.call('ZADD', due, string.format('%.0f', math.max(at, now + delay)), author)
  return 1
end
redis.call('ZREM', due, author)
return 0
