#!lua flags=allow-oom
--[[
  unschedule - forget something that is scheduled; its pictures are uploads again, as if they had come just now

  KEYS[1]  scheduled  ZSET  of the author, see schedule.lua
  KEYS[2]  words      HASH  of the author
  KEYS[3]  timers     ZSET  of the shard
  KEYS[4]  uploads    HASH  of the author: media id to line
  KEYS[5]  media_due  ZSET  of the shard
  ARGV[1]  now              ms, empty = the server's clock
  ARGV[2]  author
  ARGV[3]  id
  ARGV[4]  due              ms: only one that is scheduled for then; empty = whenever it is
  ARGV[5]  life             ms until a picture is deleted unless it is posted

  Returns  1; 0 when there is none, so that nothing is done
  Holds    each picture is in one place: scheduled, an upload, or a part of a status
]]
--#include now
--#include enqueue
--#include timers
--#include return_uploads
local scheduled, words, timers, uploads, media_due = unpack(KEYS)
local author, id = ARGV[2], ARGV[3]

local due, json = redis.call('ZSCORE', scheduled, id), redis.call('HGET', words, id)
if not due or ARGV[4] ~= '' and due ~= ARGV[4] then
  return 0
end
redis.call('ZREM', scheduled, id)
redis.call('HDEL', words, id)
redis.call('ZREM', timers, publish_job(author, id, due))
if json then
  return_uploads(uploads, media_due, author, json, string.format('%.0f', now_ms(ARGV[1]) + tonumber(ARGV[5])))
end
return 1
