#!lua flags=allow-oom
--[[
  erase_account - the last step of the deletion of an account: what it alone has goes, its tombstone stays

  KEYS[1]  user            HASH
  KEYS[2]  archived        HASH  of the shard, see lib/archived.lua
  KEYS[3]  archive_due     ZSET  of the shard
  KEYS[4]  pulled_authors  ZSET  of the shard
  KEYS[5]  media_due       ZSET  of the shard
  KEYS[6]  uploads         HASH  of the account: media id to line
  KEYS[7..]                what else the account has, first what has another side
  ARGV[1]  account
  ARGV[2]  sides           how many of KEYS[7..] have another side: they must be empty

  Returns  1; 0 when something with another side is left, or when the account is not deleted: then nothing is changed
  Holds    files without a record are in media_due; of a deleted account its state, name and time of deletion stay, and nothing else
]]
local user, archived, archive_due, pulled_authors, media_due, uploads = unpack(KEYS, 1, 6)
local account, sides = ARGV[1], tonumber(ARGV[2])

local state, name, deleted = unpack(redis.call('HMGET', user, 'state', 'name', 'deleted'))
if state ~= 'deleted' or redis.call('EXISTS', unpack(KEYS, 7, 6 + sides)) > 0 then
  return 0
end
local lines = redis.call('HGETALL', uploads)
for i = 1, #lines, 2 do
  local file = string.match(lines[i + 1], '^%d+ (%S+)')
  redis.call('ZREM', media_due, file .. ' ' .. account .. ' ' .. lines[i])
  redis.call('ZADD', media_due, 0, file)
end
redis.call('HDEL', archived, account, 'n' .. account, 'p' .. account, 'f' .. account)
redis.call('ZREM', archive_due, account)
redis.call('ZREM', pulled_authors, account)
redis.call('UNLINK', uploads, unpack(KEYS, 7))
redis.call('DEL', user)
redis.call('HSET', user, 'state', state, 'name', name, 'deleted', deleted)
return 1
