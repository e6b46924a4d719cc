#!lua flags=allow-oom
--[[
  list_remove - takes accounts off a list, or removes the list with all that is on it, with the job that makes sure of the event

  KEYS[1]  lists   HASH    of the owner: list id to '<replies> <exclusive> <title>'
  KEYS[2]  listed  ZSET    of the owner: see lib/listed.lua
  KEYS[3]  ids     STRING  last id of the shard
  KEYS[4]  stats   HASH    of the queue
  KEYS[5]  high    LIST    lane
  KEYS[6]  user    HASH    of the owner
  ARGV[1]  now             ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard           of the owner
  ARGV[3]  owner
  ARGV[4]  list
  ARGV[5..]                the accounts; none = the list itself

  Returns  id of the change, '0' when nothing was on the list; nil without such a list
  Holds    what is in listed is on a list that there is. An exclusive list comes with the next version of the following set

  Never refused for a full lane: what somebody no longer wants to see must go, and there are no more ends than beginnings, which are bounded.
]]
--#include now
--#include next_id
--#include enqueue
--#include listed
--#include bump
local lists, set, ids, stats, high, user = unpack(KEYS)
local now, shard, owner, list = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]

local line = redis.call('HGET', lists, list)
if not line then
  return false
end
local members = {}
if #ARGV == 4 then
  members = members_of(set, list)
  redis.call('HDEL', lists, list)
else
  for i = 5, #ARGV do
    members[#members + 1] = listed(list, ARGV[i])
  end
end
local removed = 0
for _, member in ipairs(members) do
  removed = removed + redis.call('ZREM', set, member)
end
if removed == 0 then
  return '0'
end
if string.match(line, '^%l+ (%d) ') == '1' then
  bump(user, now)
end
local change = next_id(ids, shard, now)
enqueue(high, stats, now, 'terms' .. job_version .. owner .. ' ' .. owner .. ' ' .. change)
return change
