#!lua flags=allow-oom
--[[
  held_end - forget a post that waits for a moderator; its pictures are uploads again, as if they had come just now

  KEYS[1]  held       ZSET  of the author, see held_add.lua
  KEYS[2]  words      HASH  of the author
  KEYS[3]  timers     ZSET  of the shard
  KEYS[4]  uploads    HASH  of the author: media id to line
  KEYS[5]  media_due  ZSET  of the shard
  KEYS[6]  stats      HASH  of the queue
  KEYS[7]  normal     LIST  lane
  ARGV[1]  now              ms, empty = the server's clock
  ARGV[2]  author
  ARGV[3]  id
  ARGV[4]  life             ms until a picture is deleted unless it is posted
  ARGV[5]  message          to the author, which the job delivers; empty = none

  Returns  1; 0 when it does not wait, so that nothing is done
  Holds    each picture is in one place; a post that has ended has its job until its message is delivered and moderators do not see it
]]
--#include now
--#include enqueue
--#include timers
--#include return_uploads
local held, words, timers, uploads, media_due, stats, normal = unpack(KEYS)
local now, author, id = now_ms(ARGV[1]), ARGV[2], ARGV[3]

if redis.call('ZREM', held, id) == 0 then
  return 0
end
redis.call('ZREM', timers, held_job(author, id))
local line = redis.call('HGET', words, id)
if line then
  local digest, json = string.match(line, '^%S+ (%S+) %d+ (.*)$')
  redis.call('HDEL', words, id, '=' .. digest)
  return_uploads(uploads, media_due, author, json, string.format('%.0f', now + tonumber(ARGV[4])))
end
if ARGV[5] ~= '' then
  redis.call('HSET', words, '-' .. id, ARGV[5])
end
-- It also takes the post out of the list of the moderators, if the caller does not.
enqueue(normal, stats, now, held_job(author, id))
return 1
