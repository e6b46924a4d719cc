#!lua
--[[
  list_set - makes a list of accounts, or changes one, with the job that makes sure of the event if its timeline shows other statuses then

  KEYS[1]  user   HASH    of the owner
  KEYS[2]  lists  HASH    of the owner: list id to '<replies> <exclusive> <title>'
  KEYS[3]  ids    STRING  last id of the shard
  KEYS[4]  stats  HASH    of the queue
  KEYS[5]  high   LIST    lane
  ARGV[1]  now            ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard          of the owner
  ARGV[3]  owner
  ARGV[4]  list           its id, empty = a new one
  ARGV[5]  replies        followed, list or none; empty = as before, of a new list list
  ARGV[6]  exclusive      1 or 0; empty = as before, of a new list 0
  ARGV[7]  title          empty = as before
  ARGV[8]  max            lists that one may have
  ARGV[9]  depth_max      jobs that the lane may hold

  Returns  {'set', list, what it is now, id of the change or '0' when no timeline has changed}; {'unknown'} without such a list; {'inactive'} without an active account; {'full'} at the limit;
           {'busy'} when the lane is full
  Holds    a change of a timeline and the job that tells of it come together, and the next version of the following set when the home of the owner shows other statuses
]]
--#include now
--#include next_id
--#include enqueue
--#include bump
local user, lists, ids, stats, high = unpack(KEYS)
local now, shard, owner, list = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]
local replies, exclusive, title = ARGV[5], ARGV[6], ARGV[7]
local max, depth_max = tonumber(ARGV[8]), tonumber(ARGV[9])

local old_replies, old_exclusive, old_title = 'list', '0', ''
if list == '' then
  if redis.call('HGET', user, 'state') ~= 'active' then
    return { 'inactive' }
  end
  if redis.call('HLEN', lists) >= max then
    return { 'full' }
  end
else
  local before = redis.call('HGET', lists, list)
  if not before then
    return { 'unknown' }
  end
  old_replies, old_exclusive, old_title = string.match(before, '^(%l+) (%d) (.*)$')
end
replies = replies == '' and old_replies or replies
exclusive = exclusive == '' and old_exclusive or exclusive
title = title == '' and old_title or title

local changed = list ~= '' and (replies ~= old_replies or exclusive ~= old_exclusive)
if changed and redis.call('LLEN', high) >= depth_max then
  return { 'busy' }
end
if list == '' then
  list = next_id(ids, shard, now)
end
local line = replies .. ' ' .. exclusive .. ' ' .. title
redis.call('HSET', lists, list, line)
local change = '0'
if changed then
  change = next_id(ids, shard, now)
  if exclusive ~= old_exclusive then
    bump(user, now)
  end
  enqueue(high, stats, now, 'terms' .. job_version .. owner .. ' ' .. owner .. ' ' .. change)
end
return { 'set', list, line, change }
