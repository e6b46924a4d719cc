#!lua
--[[
  block - the blocker's side of a block, with the end of the blocker's own follow or request and the jobs that finish them

  KEYS[1]  user       HASH    of the blocker
  KEYS[2]  blocks     ZSET    of the blocker: account id by edge id
  KEYS[3]  following  ZSET    of the blocker: account id by edge id
  KEYS[4]  ids        STRING  last id of the shard
  KEYS[5]  stats      HASH    of the queue
  KEYS[6]  high       LIST    lane
  KEYS[7]  noreposts  ZSET    of the blocker: account id by edge id
  KEYS[8]  lists      HASH    of the blocker: list id to what it is
  KEYS[9]  listed     ZSET    of the blocker: see lib/listed.lua
  KEYS[10] bells      ZSET    of the blocker: account id by edge id
  KEYS[11] senders    ZSET    of the blocker: whose notifications it accepts; the blocked one is so no longer
  KEYS[12] endorsed   ZSET    of the blocker: account id by edge id
  KEYS[13] requesting ZSET    of the blocker: account id by the edge of a request
  KEYS[14] asked      HASH    of the blocker: account id to the terms of a request
  KEYS[15] languages  HASH    of the blocker: account id to '<edge> <codes>'
  ARGV[1]  now                ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard              of the blocker
  ARGV[3]  blocker
  ARGV[4]  blocked
  ARGV[5]  max                accounts that one may block
  ARGV[6]  depth_max          jobs that the lane may hold

  Returns  {'new', edge, edge of the follow that has ended or '0', edge of the request that has ended or '0'}; {'same', edge, '0', '0'} when it was so already; {'inactive'} without an active account; {'full'} at the limit;
           {'busy'} when the lane is full
  Holds    nobody follows or asks whom they block, or has them on a list, at any instant: follow.lua and list_add.lua ask; counter = size of the following set, whose version goes up with every change
]]
--#include now
--#include bump
--#include next_id
--#include enqueue
--#include listed
--#include changes
--#include unfollow
local user, blocks, following, ids, stats, high, noreposts, lists, set, bells, senders, endorsed, requesting, asked, languages =
  unpack(KEYS)
local now, shard, blocker, blocked = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]
local max, depth_max = tonumber(ARGV[5]), tonumber(ARGV[6])

local edge = redis.call('ZSCORE', blocks, blocked)
if edge then
  return { 'same', edge, '0', '0' }
end
if redis.call('HGET', user, 'state') ~= 'active' then
  return { 'inactive' }
end
if redis.call('ZCARD', blocks) >= max then
  return { 'full' }
end
if redis.call('LLEN', high) >= depth_max then
  return { 'busy' }
end
edge = next_id(ids, shard, now)
redis.call('ZADD', blocks, edge, blocked)
redis.call('ZREM', senders, blocked)
-- Without blockedby, which is read only when another account's block ends the follow.
local side = { user, following, stats, high, '', noreposts, lists, set, bells, endorsed, requesting, asked, languages }
local ended = unfollow(side, now, blocked, '', 'all', one_by_one(high, stats, now, blocker)) or { '0', '0' }
enqueue(high, stats, now, 'block' .. job_version .. blocker .. ' ' .. blocked .. ' ' .. edge)
return { 'new', edge, ended[1], ended[2] }
