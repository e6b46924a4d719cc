#!lua
--[[
  list_add - puts accounts on a list, all or none, with the job that makes sure of the event

  KEYS[1]  lists      HASH    of the owner: list id to '<replies> <exclusive> <title>'
  KEYS[2]  listed     ZSET    of the owner: see lib/listed.lua
  KEYS[3]  following  ZSET    of the owner: account id by edge id
  KEYS[4]  ids        STRING  last id of the shard
  KEYS[5]  stats      HASH    of the queue
  KEYS[6]  high       LIST    lane
  KEYS[7]  user       HASH    of the owner
  ARGV[1]  now                ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard              of the owner
  ARGV[3]  owner
  ARGV[4]  list
  ARGV[5]  max                accounts that may be on a list
  ARGV[6]  depth_max          jobs that the lane may hold
  ARGV[7..]                   the accounts, one at least, each once

  Returns  {'added', id of the change}; {'unknown'} without such a list, or when the owner does not follow one of them; {'taken'} when one of them is on the list already; {'full'} at the limit;
           {'busy'} when the lane is full
  Holds    who is on a list is followed by its owner, or is the owner, at any instant: unfollow.lua and block.lua take accounts off. An exclusive list comes with the next version of the following set
]]
--#include now
--#include next_id
--#include enqueue
--#include listed
--#include bump
local lists, set, following, ids, stats, high, user = unpack(KEYS)
local now, shard, owner, list = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]
local max, depth_max = tonumber(ARGV[5]), tonumber(ARGV[6])

local line = redis.call('HGET', lists, list)
if not line then
  return { 'unknown' }
end
for i = 7, #ARGV do
  if ARGV[i] ~= owner and not redis.call('ZSCORE', following, ARGV[i]) then
    return { 'unknown' }
  end
end
local count = #ARGV - 6
for i = 7, #ARGV do
  if redis.call('ZSCORE', set, listed(list, ARGV[i])) then
    return { 'taken' }
  end
end
if #members_of(set, list) + count > max then
  return { 'full' }
end
if redis.call('LLEN', high) >= depth_max then
  return { 'busy' }
end
for i = 7, #ARGV do
  redis.call('ZADD', set, 0, listed(list, ARGV[i]))
end
if string.match(line, '^%l+ (%d) ') == '1' then
  bump(user, now)
end
local change = next_id(ids, shard, now)
enqueue(high, stats, now, 'terms' .. job_version .. owner .. ' ' .. owner .. ' ' .. change)
return { 'added', change }
