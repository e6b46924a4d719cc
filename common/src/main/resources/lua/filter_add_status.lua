#!lua
--[[
  filter_add_status - puts a status under a filter, with the job that makes sure of the event

  KEYS[1]  filters  HASH    of the owner: see lib/filters.lua
  KEYS[2]  ids      STRING  last id of the shard
  KEYS[3]  stats    HASH    of the queue
  KEYS[4]  high     LIST    lane
  ARGV[1]  now           ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard         of the owner
  ARGV[3]  owner
  ARGV[4]  filter
  ARGV[5]  status
  ARGV[6]  statuses_max  statuses under all filters of one account
  ARGV[7]  bytes_max     of all that is kept of one account
  ARGV[8]  depth_max     jobs that the lane may hold

  Returns  {'set', id of the filter, id of the change, all that is there then as HGETALL answers, id by which the status lies there}; {'unknown'} without such a filter; {'taken'} when it lies
           there already; {'statuses'} or {'bytes'} at a limit; {'busy'} when the lane is full
  Holds    a status lies under a filter that there is; a change and the job that tells of it come together
]]
--#include now
--#include next_id
--#include enqueue
--#include filters
local key, ids, stats, high = unpack(KEYS)
local now, shard, owner, filter, status = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local statuses_max, bytes_max, depth_max = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])

local all = filters_of(key)
if not all[filter] or string.sub(all[filter], 1, 1) ~= 'f' then
  return { 'unknown' }
end
local line = 's ' .. filter .. ' ' .. status
for _, there in pairs(all) do
  if there == line then
    return { 'taken' }
  end
end
local number, bytes = filters_size(all, 's')
if number >= statuses_max then
  return { 'statuses' }
end
if bytes + #line > bytes_max then
  return { 'bytes' }
end
if redis.call('LLEN', high) >= depth_max then
  return { 'busy' }
end
local id = next_id(ids, shard, now)
local change = next_id(ids, shard, now)
redis.call('HSET', key, id, line, 'version', change)
enqueue(high, stats, now, 'terms' .. job_version .. owner .. ' ' .. owner .. ' ' .. change)
return { 'set', filter, change, redis.call('HGETALL', key), id }
