#!lua
--[[
  held_approve - schedule a post that waits for a moderator, for now or for the time that its author wants

  KEYS[1]  user             HASH  of the author
  KEYS[2]  held             ZSET  of the author, see held_add.lua
  KEYS[3]  words            HASH  of the author
  KEYS[4]  scheduled        ZSET  of the author, see schedule.lua
  KEYS[5]  scheduled_words  HASH  of the author
  KEYS[6]  timers           ZSET  of the shard
  KEYS[7]  stats            HASH  of the queue
  KEYS[8]  normal           LIST  lane
  ARGV[1]  now                    ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  author
  ARGV[3]  id
  ARGV[4]  trust                  1 = no later post of the account waits; empty = nothing changes

  Returns  'approved'; 'absent' when it does not wait; 'inactive' without an active account
  Holds    a post waits or is scheduled, with its pictures and its job; so it becomes one status, however often this runs
]]
--#include now
--#include enqueue
--#include timers
local user, held, words, scheduled, scheduled_words, timers, stats, normal = unpack(KEYS)
local now, author, id = now_ms(ARGV[1]), ARGV[2], ARGV[3]

local line = redis.call('ZSCORE', held, id) and redis.call('HGET', words, id)
if not line then
  return 'absent'
end
if redis.call('HGET', user, 'state') ~= 'active' then
  return 'inactive'
end
local digest, due, json = string.match(line, '^%S+ (%S+) (%d+) (.*)$')
local is_due = tonumber(due) <= now
due = is_due and string.format('%.0f', now) or due
redis.call('ZREM', held, id)
redis.call('HDEL', words, id, '=' .. digest)
redis.call('ZREM', timers, held_job(author, id))
-- It takes the post out of the list of the moderators, if the caller does not.
enqueue(normal, stats, now, held_job(author, id))
redis.call('ZADD', scheduled, due, id)
redis.call('HSET', scheduled_words, id, json)
if is_due then
  -- Timers of less than five minutes would be found too late.
  enqueue(normal, stats, now, publish_job(author, id, due))
else
  redis.call('ZADD', timers, due, publish_job(author, id, due))
end
if ARGV[4] ~= '' then
  redis.call('HSET', user, 'trusted', '1')
end
return 'approved'
