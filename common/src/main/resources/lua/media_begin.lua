#!lua
--[[
  media_begin - keep a large picture that is still to be made, with the job that makes it

  KEYS[1]  user       HASH    of the owner
  KEYS[2]  ids        STRING  last id of the shard
  KEYS[3]  uploads    HASH    of the owner: media id to line
  KEYS[4]  media_due  ZSET    of the shard
  KEYS[5]  stats      HASH    of the queue
  KEYS[6]  normal     LIST    lane
  ARGV[1]  now                ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard
  ARGV[3]  owner
  ARGV[4]  source             the name of its file, which is there and in media_due
  ARGV[5]  line               that the record has behind its id
  ARGV[6]  life               ms until it is deleted unless it is posted
  ARGV[7]  max                uploads that may wait to be posted
  ARGV[8]  depth_max          jobs that the lane may hold

  Returns  {'begun', id}; {'inactive'} without an active account; {'full'} at the limit; {'busy'} when the lane is full; {'gone'} when the source is about to be deleted
  Holds    each record has its entry in media_due; record and job appear together
]]
--#include now
--#include next_id
--#include enqueue
local user, ids, uploads, media_due, stats, normal = unpack(KEYS)
local now, shard, owner, source, line = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]

if redis.call('HGET', user, 'state') ~= 'active' then
  return {'inactive'}
end
if redis.call('HLEN', uploads) >= tonumber(ARGV[7]) then
  return {'full'}
end
if redis.call('LLEN', normal) >= tonumber(ARGV[8]) then
  return {'busy'}
end
local due = redis.call('ZSCORE', media_due, source)
if not due or tonumber(due) <= now then
  return {'gone'}
end
local id = next_id(ids, shard, now)
redis.call('ZREM', media_due, source)
redis.call('HSET', uploads, id, id .. ' ' .. line)
redis.call('ZADD', media_due, string.format('%.0f', now + tonumber(ARGV[6])), source .. ' ' .. owner .. ' ' .. id)
enqueue(normal, stats, now, 'picture' .. job_version .. owner .. ' ' .. id .. ' 0')
return {'begun', id}
