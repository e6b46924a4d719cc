#!lua
--[[
  mark - the near side of what an account does to a status, with the job that finishes it

  KEYS[1]  user   HASH    of the account
  KEYS[2]  set    ZSET    of the account: status id by edge id
  KEYS[3]  ids    STRING  last id of the shard
  KEYS[4]  stats  HASH    of the queue
  KEYS[5]  high   LIST    lane
  ARGV[1]  now            ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard          of the account
  ARGV[3]  status
  ARGV[4]  max            members that the set may have
  ARGV[5]  depth_max      jobs that the lane may hold
  ARGV[6]  job            type and fields without the edge, which comes last; empty = there is no far side

  Returns  {'new', edge}; {'same', edge} when it was so already; {'inactive'} without an active account; {'full'} at the limit; {'busy'} when the lane is full
  Holds    an edge and the job that finishes it come together
]]
--#include now
--#include next_id
--#include enqueue
local user, set, ids, stats, high = unpack(KEYS)
local now, shard, status, job = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[6]
local max, depth_max = tonumber(ARGV[4]), tonumber(ARGV[5])

local edge = redis.call('ZSCORE', set, status)
if edge then
  return { 'same', edge }
end
if redis.call('HGET', user, 'state') ~= 'active' then
  return { 'inactive' }
end
if redis.call('ZCARD', set) >= max then
  return { 'full' }
end
if job ~= '' and redis.call('LLEN', high) >= depth_max then
  return { 'busy' }
end
edge = next_id(ids, shard, now)
redis.call('ZADD', set, edge, status)
if job ~= '' then
  enqueue(high, stats, now, job .. ' ' .. edge)
end
return { 'new', edge }
