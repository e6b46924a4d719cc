#!lua flags=allow-oom
--[[
  unfollow_tag - follow a hashtag no more, with the job that makes sure of the event

  KEYS[1]  followed_tags  ZSET    of the account: tag by the id of its follow
  KEYS[2]  ids            STRING  last id of the shard
  KEYS[3]  stats          HASH    of the queue
  KEYS[4]  high           LIST    lane
  ARGV[1]  now                    ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard                  of the account
  ARGV[3]  account
  ARGV[4]  tag                    folded

  Returns  id of the change; '0' when it was not followed
  Holds    a change and the job that tells of it come together; it is never refused
]]
--#include now
--#include next_id
--#include enqueue
local tags, ids, stats, high = unpack(KEYS)
local now, shard, account, tag = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]

if redis.call('ZREM', tags, tag) == 0 then
  return '0'
end
local change = next_id(ids, shard, now)
enqueue(high, stats, now, 'terms' .. job_version .. account .. ' ' .. account .. ' ' .. change)
return change
