#!lua flags=allow-oom
--[[
  mend_listing - list a status where its author's lists must have it, and nowhere else

  KEYS[1]  user       HASH  of the author
  KEYS[2]  status     HASH
  KEYS[3]  profile    ZSET  the author's posts and reposts
  KEYS[4]  outbox     ZSET  the newest of them
  KEYS[5]  reblogged  ZSET  of the author: original by repost
  KEYS[6]  archived   HASH  of the shard, see lib/archived.lua
  ARGV[1]  author
  ARGV[2]  id               of the status
  ARGV[3]  original         under which reblogged lists the id, '0' = nothing is known of it
  ARGV[4]  outbox_max

  Returns  1, or 0 when there is no such account
  Holds    asks for the status in the same step; counter = size of the profile; of two living reposts of one original the one that is listed stays listed
]]
--#include mend_lists
local user, status, profile, outbox, reblogged, archived = unpack(KEYS)
local author, id, original, outbox_max = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

if not redis.call('HGET', user, 'state') then
  return 0
end
local uid, gone, kind, orig, cold = unpack(redis.call('HMGET', status, 'uid', 'gone', 'kind', 'orig', 'cold'))
local lives = uid == author and not gone
if lives and kind ~= 'comment' and kind ~= 'direct' and not cold then
  redis.call('ZADD', profile, id, id)
else
  redis.call('ZREM', profile, id)
end
if lives and kind == 'repost' then
  redis.call('ZADD', reblogged, 'NX', id, orig)
end
if
  original ~= '0'
  and not (lives and kind == 'repost' and orig == original)
  and redis.call('ZSCORE', reblogged, original) == id
then
  redis.call('ZREM', reblogged, original)
end
mend_lists(user, profile, outbox, outbox_max, archived, author)
return 1
