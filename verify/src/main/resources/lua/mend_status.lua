#!lua flags=allow-oom
--[[
  mend_status - set the counters of a status to what they count; of one that is gone, remove what was kept about it

  KEYS[1]     status  HASH
  KEYS[2..5]  likes, reposts, quotes, comments  ZSET  of the status
  KEYS[6]     edits   ZSET  what it was before edits
  KEYS[7]     archived  HASH  of the shard, see lib/archived.lua
  KEYS[8]     votes   HASH  of its poll
  ARGV[1]     id      of the status

  Returns  1 when the status lives, else 0
  Holds    reads and sets in one step; makes no status; leaves alone what may be archived
]]
local uid, gone = unpack(redis.call('HMGET', KEYS[1], 'uid', 'gone'))
if not uid and not gone and tonumber(ARGV[1]) <= tonumber(redis.call('HGET', KEYS[7], 'max') or '0') then
  return 1
end
if not uid or gone then
  redis.call('UNLINK', KEYS[8], unpack(KEYS, 2, 6))
  return 0
end
for i, field in ipairs({ 'likes', 'reposts', 'quotes', 'comments' }) do
  redis.call('HSET', KEYS[1], field, redis.call('ZCARD', KEYS[i + 1]))
end
return 1
