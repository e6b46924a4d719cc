#!lua flags=allow-oom
--[[
  media_remove - forget an upload, and have its files deleted

  KEYS[1]  uploads    HASH  of the owner: media id to line
  KEYS[2]  media_due  ZSET  of the shard
  KEYS[3]  media_bytes HASH of the owner: media id to the bytes of its files, and their sum
  ARGV[1]  owner
  ARGV[2]  id

  Returns  1; 0 when there is no such upload
  Holds    files without a record are in media_due, and counted no more
]]
--#include media_bytes
local line = redis.call('HGET', KEYS[1], ARGV[2])
if not line then
  return 0
end
local name = string.match(line, '^%d+ (%S+)')
redis.call('HDEL', KEYS[1], ARGV[2])
redis.call('ZREM', KEYS[2], name .. ' ' .. ARGV[1] .. ' ' .. ARGV[2])
redis.call('ZADD', KEYS[2], 0, name)
note_bytes(KEYS[3], ARGV[2], 0)
return 1
