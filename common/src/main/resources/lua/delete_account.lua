#!lua flags=allow-oom
--[[
  delete_account - mark an account as deleted for good, with the jobs that erase what it has

  KEYS[1]  user       HASH
  KEYS[2]  tokens     HASH
  KEYS[3]  push       HASH  the push subscriptions of the account
  KEYS[4]  media_due  ZSET  of the shard
  KEYS[5]  timers     ZSET  of the shard
  KEYS[6]  stats      HASH  of the queue
  KEYS[7]  normal     LIST  lane
  ARGV[1]  now        ms, empty = the server's clock
  ARGV[2]  account
  ARGV[3]  again      ms until the second job looks for what was under way
  ARGV[4]  token      that must still be good; empty = none

  Returns  1; 0 when it was deleted before: then its job is enqueued once more; -1 when there is no such account, -2 when the token is good no more, -3 when an owner deletes its own account: then nothing is changed
  Holds    in one step: the account is shown to nobody, none of its tokens is good, no password opens it, its pictures are to be deleted, and jobs erase the rest; nothing but erase_account.lua changes the state again
]]
--#include now
--#include enqueue
--#include timers
local user, tokens, push, media_due, timers, stats, normal = unpack(KEYS)
local now = now_ms(ARGV[1])
local job = erasure_job(ARGV[2])

local state, avatar, header, role = unpack(redis.call('HMGET', user, 'state', 'avatar', 'header', 'role'))
if state == 'deleted' then
  enqueue(normal, stats, now, job)
  return 0
end
if state ~= 'active' and state ~= 'suspended' then
  return -1
end
-- The password was right a moment ago: since then it may have been changed, or the account suspended.
if ARGV[4] ~= '' and redis.call('HEXISTS', tokens, ARGV[4]) == 0 then
  return -2
end
if ARGV[4] ~= '' and role == 'owner' then
  return -3
end
redis.call('HINCRBY', user, 'pwrev', 1)
redis.call('HSET', user, 'state', 'deleted', 'deleted', string.format('%.0f', now), 'erasing', '1')
redis.call('HDEL', user, 'pw', 'suspended', 'avatar', 'header')
redis.call('DEL', tokens, push)
for _, name in ipairs({ avatar or '', header or '' }) do
  if name ~= '' then
    redis.call('ZADD', media_due, 0, name)
  end
end
enqueue(normal, stats, now, job)
redis.call('ZADD', timers, string.format('%.0f', now + tonumber(ARGV[3])), job)
return 1
