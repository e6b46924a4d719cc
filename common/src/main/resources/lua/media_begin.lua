#!lua
--[[
  media_begin - keep a large picture that is still to be made, with the job that makes it

  KEYS[1]  user       HASH    of the owner
  KEYS[2]  ids        STRING  last id of the shard
  KEYS[3]  uploads    HASH    of the owner: media id to line
  KEYS[4]  media_due  ZSET    of the shard
  KEYS[5]  stats      HASH    of the queue
  KEYS[6]  normal     LIST    lane
  KEYS[7]  media_bytes HASH   of the owner: media id to the bytes of its files, and their sum
  ARGV[1]  now                ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard
  ARGV[3]  owner
  ARGV[4]  source             the name of its file, which is there and in media_due
  ARGV[5]  line               that the record has behind its id
  ARGV[6]  life               ms until it is deleted unless it is posted
  ARGV[7]  max                uploads that may wait to be posted
  ARGV[8]  depth_max          jobs that the lane may hold
  ARGV[9]  bytes              of the source
  ARGV[10] bytes_max          that the account may have; 0 = any

  Returns  {'begun', id}; {'inactive'} without an active account; {'full'} at the limit; {'bytes', sum} when the account would have too many, with those it has; {'busy'} when the lane is full; {'gone'} when the source is about to be deleted
  Holds    each record has its entry in media_due; record and job appear together; its source is counted
]]
--#include now
--#include next_id
--#include enqueue
--#include media_bytes
local user, ids, uploads, media_due, stats, normal, media_bytes = unpack(KEYS)
local now, shard, owner, source, line = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local bytes = tonumber(ARGV[9])

if redis.call('HGET', user, 'state') ~= 'active' then
  return { 'inactive' }
end
if redis.call('HLEN', uploads) >= tonumber(ARGV[7]) then
  return { 'full' }
end
local fits, sum = has_room(media_bytes, bytes, tonumber(ARGV[10]))
if not fits then
  return { 'bytes', sum }
end
if redis.call('LLEN', normal) >= tonumber(ARGV[8]) then
  return { 'busy' }
end
local due = redis.call('ZSCORE', media_due, source)
if not due or tonumber(due) <= now then
  return { 'gone' }
end
local id = next_id(ids, shard, now)
redis.call('ZREM', media_due, source)
redis.call('HSET', uploads, id, id .. ' ' .. line)
redis.call('ZADD', media_due, string.format('%.0f', now + tonumber(ARGV[6])), source .. ' ' .. owner .. ' ' .. id)
note_bytes(media_bytes, id, bytes)
enqueue(normal, stats, now, 'picture' .. job_version .. owner .. ' ' .. id .. ' 0')
return { 'begun', id }
