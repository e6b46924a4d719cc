#!lua flags=allow-oom
--[[
  archive_move - take statuses out of Redis that the archive has

  KEYS[1]  profile   ZSET  of the author
  KEYS[2]  archived  HASH  of the shard, see lib/archived.lua
  KEYS[3]  thawed    ZSET  of the author: archived status that is in Redis again, by the ms at which it moves again
  KEYS[4]  outbox    ZSET  of the author: the newest of the profile
  KEYS[5..]          HASH  the statuses, those of the profile from its lowest id upward
  ARGV[1]  author
  ARGV[2]  pass
  ARGV[3..] id, digest     of the fields as they were written, see lib/archived.lua
            stays          of an article that lists show or that can be voted on: the ms at which to look again; else empty

  Returns  how many were moved; -1 when the pass is not the author's last
  Holds    a status leaves Redis only as the archive has it, field by field; the border rises over a prefix of the profile, with the removal, in one step; an article
           that stays leaves its profile alone, and is like one that is here again. Statuses are in the archive, committed, before this is called.
]]
--#include archived
local profile, archived, thawed, outbox = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local author, pass = ARGV[1], ARGV[2]

if redis.call('HGET', archived, 'p' .. author) ~= pass then
  return -1
end
local moved, border, prefix = 0, nil, true
for k = 5, #KEYS do
  local id, digest, stays = unpack(ARGV, 3 * k - 12, 3 * k - 10)
  local fields = redis.call('HGETALL', KEYS[k])
  local same = #fields > 0 and archive_digest(fields) == digest
  if redis.call('HEXISTS', KEYS[k], 'cold') == 1 then
    if stays ~= '' then
      redis.call('ZADD', thawed, 'XX', stays, id)
    elseif same and redis.call('ZREM', thawed, id) == 1 then
      redis.call('UNLINK', KEYS[k])
      moved = moved + 1
    end
  elseif prefix then
    prefix = same and redis.call('ZRANGE', profile, 0, 0)[1] == id
    if prefix then
      redis.call('ZREM', profile, id)
      redis.call('ZREM', outbox, id)
      if stays ~= '' then
        redis.call('HSET', KEYS[k], 'cold', '1')
        redis.call('ZADD', thawed, stays, id)
      else
        redis.call('UNLINK', KEYS[k])
      end
      redis.call('HINCRBY', archived, 'n' .. author, 1)
      border = id
      moved = moved + 1
    end
  end
end
if border then
  redis.call('HSET', archived, author, border)
  if tonumber(border) > tonumber(redis.call('HGET', archived, 'max') or '0') then
    redis.call('HSET', archived, 'max', border)
  end
end
if moved > 0 then
  redis.call('HINCRBY', archived, 'f' .. author, 1)
end
return moved
