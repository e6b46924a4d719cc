#!lua
--[[
  emoji_add - add a custom emoji, whose file is there

  KEYS[1]  emojis     HASH  shortcode to file and category; '-' to the version
  KEYS[2]  media_due  ZSET  of the same shard
  ARGV[1]  now              ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shortcode
  ARGV[3]  file             its name, which is in media_due
  ARGV[4]  category         empty = none
  ARGV[5]  max              emojis
  ARGV[6]  replace          1 = another one with this shortcode may go
  ARGV[7]  rest             ms until the file of that one is deleted

  Returns  'new' or 'replaced', also when it is repeated; 'taken', 'full'; 'gone' when the file is about to be deleted
  Holds    a file belongs to an emoji or is in media_due; each change has a version of its own
]]
--#include now
--#include emoji_version
local emojis, media_due = unpack(KEYS)
local shortcode, file, category = ARGV[2], ARGV[3], ARGV[4]
local now = now_ms(ARGV[1])
local line = category == '' and file or (file .. ' ' .. category)

local former = redis.call('HGET', emojis, shortcode)
if former == line then
  return 'new'
end
if former and ARGV[6] ~= '1' then
  return 'taken'
end
-- The version is a field, too.
if not former and redis.call('HLEN', emojis) > tonumber(ARGV[5]) then
  return 'full'
end
local due = redis.call('ZSCORE', media_due, file)
if not due or tonumber(due) <= now then
  return 'gone'
end
redis.call('ZREM', media_due, file)
if former then
  redis.call('ZADD', media_due, string.format('%.0f', now + tonumber(ARGV[7])), string.match(former, '^%S+'))
end
redis.call('HSET', emojis, shortcode, line)
emoji_version(emojis, now)
return former and 'replaced' or 'new'
