#!lua
--[[
  follow_tag - follow a hashtag, with the job that makes sure of the event

  KEYS[1]  user           HASH    of the account
  KEYS[2]  followed_tags  ZSET    of the account: tag by the id of its follow
  KEYS[3]  ids            STRING  last id of the shard
  KEYS[4]  stats          HASH    of the queue
  KEYS[5]  high           LIST    lane
  ARGV[1]  now                    ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard                  of the account
  ARGV[3]  account
  ARGV[4]  tag                    folded
  ARGV[5]  max                    tags that one may follow
  ARGV[6]  depth_max              jobs that the lane may hold

  Returns  {'new', id}; {'same', id} when it is followed already; {'inactive'} without an active account; {'full'} at the limit; {'busy'} when the lane is full
  Holds    a tag is there once; a change and the job that tells of it come together
]]
--#include now
--#include next_id
--#include enqueue
local user, tags, ids, stats, high = unpack(KEYS)
local now, shard, account, tag = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]
local max, depth_max = tonumber(ARGV[5]), tonumber(ARGV[6])

local id = redis.call('ZSCORE', tags, tag)
if id then
  return { 'same', id }
end
if redis.call('HGET', user, 'state') ~= 'active' then
  return { 'inactive' }
end
if redis.call('ZCARD', tags) >= max then
  return { 'full' }
end
if redis.call('LLEN', high) >= depth_max then
  return { 'busy' }
end
id = next_id(ids, shard, now)
redis.call('ZADD', tags, id, tag)
enqueue(high, stats, now, 'terms' .. job_version .. account .. ' ' .. account .. ' ' .. id)
return { 'new', id }
