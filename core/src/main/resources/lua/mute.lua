#!lua
--[[
  mute - leaves somebody out of what an account sees, with the job that makes sure of the event

  KEYS[1]  user   HASH    of who mutes
  KEYS[2]  mutes  ZSET    of who mutes: account id by edge id
  KEYS[3]  heard  ZSET    of who mutes: account id by edge id
  KEYS[4]  ids    STRING  last id of the shard
  KEYS[5]  stats  HASH    of the queue
  KEYS[6]  high   LIST    lane
  KEYS[7]  ends   ZSET    of who mutes: account id by ms
  ARGV[1]  now            ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard          of who mutes
  ARGV[3]  muter
  ARGV[4]  muted
  ARGV[5]  max            accounts that one may mute
  ARGV[6]  notifications  1 = notifications of the muted one are left out as well, 0 = they stay
  ARGV[7]  depth_max      jobs that the lane may hold
  ARGV[8]  duration       ms, 0 = for good

  Returns  {'new', edge}, also when only the end has changed; {'same', edge} when it was muted already, with notifications or without; {'inactive'} without an active account; {'full'} at the limit;
           {'busy'} when the lane is full
  Holds    heard and ends are parts of mutes; each end has an edge of its own, so that streams hear of it; mutes that have ended do not count towards the limit
]]
--#include now
--#include next_id
--#include enqueue
local user, mutes, heard, ids, stats, high, ends = unpack(KEYS)
local now, shard, muter, muted = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]
local max, notifications, depth_max, duration = tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8])
-- Each mute makes one that can end: those that have ended do not become more.
local dropped_max = 100

local ended = redis.call('ZRANGE', ends, '-inf', string.format('%.0f', now), 'BYSCORE', 'LIMIT', 0, dropped_max)
if #ended > 0 then
  redis.call('ZREM', mutes, unpack(ended))
  redis.call('ZREM', heard, unpack(ended))
  redis.call('ZREM', ends, unpack(ended))
end
local edge, word = redis.call('ZSCORE', mutes, muted), 'same'
if not edge or duration > 0 or redis.call('ZSCORE', ends, muted) then
  if redis.call('HGET', user, 'state') ~= 'active' then
    return { 'inactive' }
  end
  if not edge and redis.call('ZCARD', mutes) >= max then
    return { 'full' }
  end
  if redis.call('LLEN', high) >= depth_max then
    return { 'busy' }
  end
  edge, word = next_id(ids, shard, now), 'new'
  redis.call('ZADD', mutes, edge, muted)
  if duration > 0 then
    redis.call('ZADD', ends, string.format('%.0f', now + duration), muted)
  else
    redis.call('ZREM', ends, muted)
  end
  enqueue(high, stats, now, 'mute' .. job_version .. muter .. ' ' .. muted .. ' ' .. edge)
end
if notifications == '1' then
  redis.call('ZREM', heard, muted)
else
  redis.call('ZADD', heard, edge, muted)
end
return { word, edge }
