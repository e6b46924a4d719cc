#!lua flags=allow-oom
--[[
  emoji_remove - remove a custom emoji, and have its file deleted when nobody shows it any more

  KEYS[1]  emojis     HASH  shortcode to file and category; '-' to the version
  KEYS[2]  media_due  ZSET  of the same shard
  ARGV[1]  now              ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shortcode
  ARGV[3]  rest             ms until the file is deleted

  Returns  1; 0 when there is none
  Holds    a file belongs to an emoji or is in media_due; each change has a version of its own
]]
--#include now
--#include emoji_version
local now = now_ms(ARGV[1])
local line = redis.call('HGET', KEYS[1], ARGV[2])
if not line or ARGV[2] == '-' then
  return 0
end
redis.call('HDEL', KEYS[1], ARGV[2])
redis.call('ZADD', KEYS[2], string.format('%.0f', now + tonumber(ARGV[3])), string.match(line, '^%S+'))
emoji_version(KEYS[1], now)
return 1
