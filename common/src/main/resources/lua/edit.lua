#!lua
--[[
  edit - give a status other words, and keep those that it had

  KEYS[1]  user    HASH    of the author
  KEYS[2]  status  HASH
  KEYS[3]  edits   ZSET    what the status was, as JSON, by the edit that had made it so; 0 = as posted
  KEYS[4]  ids     STRING  last id of the shard
  KEYS[5]  stats   HASH    of the queue
  KEYS[6]  high    LIST    lane
  ARGV[1]  now             ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard
  ARGV[3]  author
  ARGV[4]  id              of the status
  ARGV[5]  depth_max       jobs that the lane may hold
  ARGV[6]  versions_max    former versions that are kept
  ARGV[7]  bytes_max       that they may take
  ARGV[8]  decisive        of the following fields so many decide whether anything changes: the others are found in these
  ARGV[9..] names and values in turn of all fields that an edit may change; an empty value = the field is not there

  Returns  {'edited' or 'same', fields and values of the status as it is now}; {'absent'} when it is not in Redis; {'gone'} when it is deleted, or somebody else's; {'inactive'} without an active account;
           {'busy'} when the lane is full
  Holds    the words, the former version, the id of the edit and its job appear together; edits of a status rise; an edit that changes nothing is none; the first version and the newest stay
           longest: beyond the bounds the oldest edits are forgotten
]]
--#include now
--#include next_id
--#include enqueue
local user, status, edits, ids, stats, high = unpack(KEYS)
local now, shard, author, id, depth_max = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], tonumber(ARGV[5])
local versions_max, bytes_max, decisive, first = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), 9

local fields, was = redis.call('HGETALL', status), {}
for i = 1, #fields, 2 do
  was[fields[i]] = fields[i + 1]
end
if #fields == 0 then
  return {'absent'}
end
if was.uid ~= author or was.gone then
  return {'gone'}
end

local version, changed, set, gone = { edit = was.edit }, false, {}, {}
for i = first, #ARGV, 2 do
  local name, value = ARGV[i], ARGV[i + 1]
  version[name] = was[name]
  changed = changed or i < first + 2 * decisive and (was[name] or '') ~= value
  if value ~= '' then
    set[#set + 1] = name
    set[#set + 1] = value
  elseif was[name] then
    gone[#gone + 1] = name
  end
end
if not changed then
  return {'same', fields}
end

if redis.call('HGET', user, 'state') ~= 'active' then
  return {'inactive'}
end
if redis.call('LLEN', high) >= depth_max then
  return {'busy'}
end

local edit = next_id(ids, shard, now)
redis.call('ZADD', edits, was.edit or '0', cjson.encode(version))
local versions, bytes = redis.call('ZRANGE', edits, 0, -1), 0
for _, each in ipairs(versions) do
  bytes = bytes + #each
end
local leaving = 0
while leaving + 2 < #versions and (#versions - leaving > versions_max or bytes > bytes_max) do
  leaving = leaving + 1
  bytes = bytes - #versions[leaving + 1]
end
if leaving > 0 then
  redis.call('ZREMRANGEBYRANK', edits, 1, leaving)
end

if gone[1] then
  redis.call('HDEL', status, unpack(gone))
end
set[#set + 1] = 'edit'
set[#set + 1] = edit
redis.call('HSET', status, unpack(set))
enqueue(high, stats, now, 'edit' .. job_version .. author .. ' ' .. id .. ' ' .. edit .. ' 0')
return {'edited', redis.call('HGETALL', status)}
