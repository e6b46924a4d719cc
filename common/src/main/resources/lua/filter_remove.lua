#!lua flags=allow-oom
--[[
  filter_remove - removes a filter with all that lies under it, a keyword or a status of one, with the job that makes sure of the event

  KEYS[1]  filters  HASH    of the owner: see lib/filters.lua
  KEYS[2]  ids      STRING  last id of the shard
  KEYS[3]  stats    HASH    of the queue
  KEYS[4]  high     LIST    lane
  ARGV[1]  now              ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard            of the owner
  ARGV[3]  owner
  ARGV[4]  id
  ARGV[5]  kind             what the id is of: f, k or s

  Returns  id of the change; nil without such a thing
  Holds    what lies under a filter goes with it; a change and the job that tells of it come together

  Never refused for a full lane: there are no more ends than beginnings, which are bounded.
]]
--#include now
--#include next_id
--#include enqueue
--#include filters
local key, ids, stats, high = unpack(KEYS)
local now, shard, owner, id, kind = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]

local before, after = filters_of(key), {}
if not before[id] or string.sub(before[id], 1, 1) ~= kind then
  return false
end
for at, line in pairs(before) do
  if at ~= id and under(line) ~= id then
    after[at] = line
  end
end
local change = next_id(ids, shard, now)
filters_put(key, before, after, change)
enqueue(high, stats, now, 'terms' .. job_version .. owner .. ' ' .. owner .. ' ' .. change)
return change
