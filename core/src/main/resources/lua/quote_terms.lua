#!lua flags=allow-oom
--[[
  quote_terms - say who may quote a status, that it shows what it quotes no more, or that a moderator has marked it as sensitive

  KEYS[1]  status  HASH
  KEYS[2]  ids     STRING  last id of the shard
  KEYS[3]  stats   HASH    of the queue
  KEYS[4]  high    LIST    lane
  ARGV[1]  now             ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard
  ARGV[3]  author
  ARGV[4]  id              of the status
  ARGV[5]  depth_max       jobs that the lane may hold
  ARGV[6]  field           'quoters', 'unquoted' or 'marked'
  ARGV[7]  value           empty = the field is not there
  ARGV[8]  quoted          the status that it must quote; empty = whatever it is

  Returns  {'changed' or 'same', id of the change or '0', fields and values of the status as it is now}; {'absent'} when it is not in Redis; {'gone'} when it is deleted, somebody else's, or quotes another;
           {'busy'} when the lane is full, of who may quote: what somebody takes back must go at once, and each quote is taken back once; a moderator is never put off
  Holds    the field and its job appear together; what changes nothing is no change
]]
--#include now
--#include next_id
--#include enqueue
local status, ids, stats, high = unpack(KEYS)
local now, shard, author, id, depth_max = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], tonumber(ARGV[5])
local field, value, quoted = ARGV[6], ARGV[7], ARGV[8]

local uid, gone, kind, original, was = unpack(redis.call('HMGET', status, 'uid', 'gone', 'kind', 'orig', field))
if not uid and not gone then
  return { 'absent' }
end
if uid ~= author or gone or (quoted ~= '' and (kind == 'repost' or original ~= quoted)) then
  return { 'gone' }
end
if (was or '') == value then
  return { 'same', '0', redis.call('HGETALL', status) }
end
if field == 'quoters' and redis.call('LLEN', high) >= depth_max then
  return { 'busy' }
end

local change = next_id(ids, shard, now)
if value == '' then
  redis.call('HDEL', status, field)
else
  redis.call('HSET', status, field, value)
end
enqueue(high, stats, now, 'quote_terms' .. job_version .. author .. ' ' .. id .. ' ' .. change)
return { 'changed', change, redis.call('HGETALL', status) }
