#!lua flags=allow-oom
--[[
  delete - take back one of the author's statuses

  KEYS[1]  user      HASH  of the author
  KEYS[2]  status    HASH  becomes a tombstone
  KEYS[3]  profile   ZSET  the author's posts and reposts
  KEYS[4]  outbox    ZSET  the newest of them
  KEYS[5]  home      LIST  of the author, see lib/home_head.lua
  KEYS[6]  stats     HASH  of the queue
  KEYS[7]  high      LIST  lane
  KEYS[8]  reblogged ZSET  of the author: original by repost
  KEYS[9]  counts    HASH  of the shard
  KEYS[10] comments_by ZSET the author's comments and direct messages
  KEYS[11] media_due ZSET  of the shard
  KEYS[12] archived  HASH  of the shard, see lib/archived.lua
  KEYS[13] gone      ZSET  of the shard: deleted status, by its author, whose row the archive has to delete
  KEYS[14] thawed    ZSET  of the author: archived status that is in Redis again
  KEYS[15] pins      ZSET  of the author: status that it shows above all others
  KEYS[16] uploads   HASH  of the author: media id to line
  KEYS[17] media_bytes HASH of the author: media id to the bytes of its files, and their sum
  KEYS[18..]               everything that is kept about the status elsewhere: who likes it, its comments and so on; goes with it
  ARGV[1]  now             ms, empty = the server's clock
  ARGV[2]  author
  ARGV[3]  id              of the status
  ARGV[4]  ttl             of the tombstone, seconds
  ARGV[5]  outbox_max
  ARGV[6]  life            ms that its pictures wait to be posted again, as uploads; 0 = they are deleted
  ARGV[7]  max             uploads that may wait to be posted; pictures beyond are deleted

  Returns  fields and values of the status as it was; none when it is deleted already, or when it is somebody else's; nil when it is not in Redis
  Holds    counter = size of the profile and number of what is archived; the tombstone of an author with an archive has no end before the archive has noted the delete; the outbox is the newest part of the profile; a tombstone keeps what the job needs to undo the far sides - author, visibility, kind,
           recipients, conversation, the statuses it refers to, and whether it was an article -, no text; its pictures are uploads again, or their files are to be deleted and counted no more

  Never refused for a full lane: what somebody takes back must go at once, and there are no more deletes than posts, which are bounded.
]]
--#include now
--#include enqueue
--#include home_head
--#include home_rewrite
--#include media_bytes
--#include give_back
local user, status, profile, outbox, home, stats, high, reblogged, counts, comments_by = unpack(KEYS, 1, 10)
local media_due, archived, archive_gone, thawed, pins, uploads, media_bytes = unpack(KEYS, 11, 17)
local now, author, id, ttl, outbox_max = now_ms(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local life = tonumber(ARGV[6])

local fields, was = redis.call('HGETALL', status), {}
for i = 1, #fields, 2 do
  was[fields[i]] = fields[i + 1]
end
if #fields == 0 then
  return false
end
if was.uid ~= author or was.gone then
  return {}
end
local tombstone = { 'gone', '1' }
for _, field in ipairs({ 'uid', 'vis', 'kind', 'to', 'conv', 'reply', 'replyto', 'root', 'rootto', 'orig', 'origto' }) do
  if was[field] then
    tombstone[#tombstone + 1] = field
    tombstone[#tombstone + 1] = was[field]
  end
end
if was.title then
  tombstone[#tombstone + 1] = 'article'
  tombstone[#tombstone + 1] = '1'
end
redis.call('DEL', status)
redis.call('HSET', status, unpack(tombstone))
if redis.call('HEXISTS', archived, author) == 1 then
  redis.call('ZADD', archive_gone, author, id)
else
  redis.call('EXPIRE', status, ttl)
end
for i = 1, 4 do
  local due = life > 0 and string.format('%.0f', now + life) or ''
  give_back(uploads, media_due, media_bytes, author, was['media' .. i] or '', due, tonumber(ARGV[7]))
end
redis.call('UNLINK', unpack(KEYS, 18))
redis.call('ZREM', pins, id)

if was.kind == 'comment' or was.kind == 'direct' then
  redis.call('ZREM', comments_by, id)
end
if was.kind == 'repost' and redis.call('ZSCORE', reblogged, was.orig) == id then
  redis.call('ZREM', reblogged, was.orig)
end
if redis.call('ZREM', profile, id) == 1 then
  redis.call('HINCRBY', user, 'posts', -1)
  redis.call('HINCRBY', counts, 'statuses', -1)
  redis.call(
    'HSET',
    user,
    'last',
    redis.call('ZRANGE', profile, -1, -1)[1] or redis.call('HGET', archived, author) or '0'
  )
end
if was.cold then
  redis.call('HINCRBY', archived, 'n' .. author, -1)
  redis.call('HINCRBY', user, 'posts', -1)
  redis.call('HINCRBY', counts, 'statuses', -1)
  redis.call('ZREM', thawed, id)
end
if redis.call('ZREM', outbox, id) == 1 then
  local next = redis.call('ZRANGE', profile, -outbox_max, -outbox_max)[1]
  if next then
    redis.call('ZADD', outbox, next, next)
  end
end
home_take_out(home, id)
enqueue(high, stats, now, 'retract' .. job_version .. author .. ' ' .. id .. ' 0')
return fields
