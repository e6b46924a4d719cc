#!lua flags=allow-oom
--[[
  media_fail - note that a picture cannot be made of its source

  KEYS[1]  uploads    HASH  of the owner: media id to line
  KEYS[2]  media_due  ZSET  of the shard
  KEYS[3]  media_bytes HASH of the owner: media id to the bytes of its files, and their sum
  ARGV[1]  id
  ARGV[2]  source           the name of its file
  ARGV[3]  cause            a word

  Returns  1; 0 when the record does not name the source any more, or says so already
  Holds    the source is in media_due; the record keeps its entry, which ends it; the source is counted no more
]]
--#include media_bytes
local uploads, media_due, media_bytes = unpack(KEYS)
local id, source = ARGV[1], ARGV[2]

local head, named, said = string.match(redis.call('HGET', uploads, id) or '', '^(%d+ (%S+) %- %- %- %d) %- (.*)$')
if named ~= source then
  return 0
end
redis.call('HSET', uploads, id, head .. ' ' .. ARGV[3] .. ' ' .. said)
redis.call('ZADD', media_due, 0, source)
note_bytes(media_bytes, id, 0)
return 1
