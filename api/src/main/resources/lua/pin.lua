#!lua
--[[
  pin - show a status of one's own above all others

  KEYS[1]  user    HASH    of the author
  KEYS[2]  status  HASH
  KEYS[3]  pins    ZSET    of the author: status id by edge id
  KEYS[4]  ids     STRING  last id of the shard
  ARGV[1]  now             ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard           of the author
  ARGV[3]  author
  ARGV[4]  id              of the status
  ARGV[5]  max             statuses that one may pin

  Returns  {'new', edge}; {'same', edge} when it was so already; {'inactive'} without an active account; {'full'} at the limit; {'gone'} when it is deleted; {'other'} when it is somebody else's, {'repost'}
           when it only passes on another, {'direct'} when it is not for everybody who reads a profile; nil when it is not in Redis
  Holds    what is pinned lives: the script that deletes a status takes the pin away
]]
--#include now
--#include next_id
local user, status, pins, ids = unpack(KEYS)
local now, shard, author, id, max = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], tonumber(ARGV[5])

local edge = redis.call('ZSCORE', pins, id)
if edge then
  return { 'same', edge }
end
local was = redis.call('HMGET', status, 'uid', 'gone', 'kind')
if not was[1] then
  return false
end
if was[2] then
  return { 'gone' }
end
if was[1] ~= author then
  return { 'other' }
end
if was[3] == 'repost' then
  return { 'repost' }
end
if was[3] == 'direct' then
  return { 'direct' }
end
if redis.call('HGET', user, 'state') ~= 'active' then
  return { 'inactive' }
end
if redis.call('ZCARD', pins) >= max then
  return { 'full' }
end
edge = next_id(ids, shard, now)
redis.call('ZADD', pins, edge, id)
return { 'new', edge }
