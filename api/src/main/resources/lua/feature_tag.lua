#!lua
--[[
  feature_tag - show a hashtag on one's own profile

  KEYS[1]  user           HASH    of the account
  KEYS[2]  featured-tags  ZSET    of the account: tag by id
  KEYS[3]  ids            STRING  last id of the shard
  ARGV[1]  now                    ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard                  of the account
  ARGV[3]  tag                    folded
  ARGV[4]  max                    tags that one may feature

  Returns  {'new', id}; {'same', id} when it was so already; {'inactive'} without an active account; {'full'} at the limit
  Holds    a tag is there once, and its id is that of no other, ever
]]
--#include now
--#include next_id
local user, tags, ids = unpack(KEYS)
local now, shard, tag, max = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])

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
id = next_id(ids, shard, now)
redis.call('ZADD', tags, id, tag)
return { 'new', id }
