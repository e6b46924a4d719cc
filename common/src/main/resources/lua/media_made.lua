#!lua
--[[
  media_made - put the picture that was made in the place of its source, or a copy with another preview in that of an upload

  KEYS[1]  uploads    HASH  of the owner: media id to line
  KEYS[2]  media_due  ZSET  of the shard
  KEYS[3]  media_bytes HASH of the owner: media id to the bytes of its files, and their sum
  ARGV[1]  now              ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  owner
  ARGV[3]  id
  ARGV[4]  source           the name of its file
  ARGV[5]  name             of the picture's file, which is there and in media_due
  ARGV[6]  picture          what the line has behind the id, up to the focus
  ARGV[7]  life             ms until it is deleted unless it is posted, in case that nothing says it
  ARGV[8]  bytes            of the picture's files
  ARGV[9]  ready            1 = the record is that of an upload, whose file stands for the source

  Returns  1; 0 when the record does not name the source any more, or the files are about to be deleted: then nothing is changed
  Holds    a record names files that are there; the source is in media_due; what the owner has said meanwhile stays; the picture is counted in place of the source, once
]]
--#include now
--#include media_bytes
local uploads, media_due, media_bytes = unpack(KEYS)
local now, owner, id, source, name = now_ms(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local form = ARGV[9] == '1' and '^%d+ (%S+) %d+ %d+ %d+ %d+ %S* (%S+ %S+) (.*)$'
  or '^%d+ (%S+) %- %- %- %d %- (%S+ %S+) (.*)$'
local named, focus, description = string.match(redis.call('HGET', uploads, id) or '', form)
if named ~= source then
  return 0
end
local noted = redis.call('ZSCORE', media_due, name)
if not noted or tonumber(noted) <= now then
  return 0
end
local entry = ' ' .. owner .. ' ' .. id
local due = redis.call('ZSCORE', media_due, source .. entry) or string.format('%.0f', now + tonumber(ARGV[7]))
redis.call('HSET', uploads, id, id .. ' ' .. ARGV[6] .. ' ' .. focus .. ' ' .. description)
redis.call('ZREM', media_due, source .. entry, name)
redis.call('ZADD', media_due, due, name .. entry)
redis.call('ZADD', media_due, 0, source)
note_bytes(media_bytes, id, tonumber(ARGV[8]))
return 1
