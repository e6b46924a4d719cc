#!lua
--[[
  edit - give a status other words, and keep those that it had

  KEYS[1]  user    HASH    of the author
  KEYS[2]  status  HASH
  KEYS[3]  edits   ZSET    what the status was, as JSON, by the edit that had made it so; 0 = as posted
  KEYS[4]  ids     STRING  last id of the shard
  KEYS[5]  stats   HASH    of the queue
  KEYS[6]  high    LIST    lane
  KEYS[7]  uploads HASH    of the author: media id to line
  KEYS[8]  media_due ZSET  of the shard
  KEYS[9]  media_bytes HASH of the author: media id to the bytes of its files, and their sum
  ARGV[1]  now             ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard
  ARGV[3]  author
  ARGV[4]  id              of the status
  ARGV[5]  depth_max       jobs that the lane may hold
  ARGV[6]  versions_max    former versions that are kept
  ARGV[7]  bytes_max       that they may take
  ARGV[8]  life            ms that a picture which the status has no more waits to be posted again, as an upload
  ARGV[9]  uploads_max     uploads that may wait to be posted; pictures beyond are deleted
  ARGV[10] decisive        of the following fields so many decide whether anything changes: the others are found in these
  ARGV[11..] names and values in turn of all fields that an edit may change; an empty value = the field is not there

  Returns  {'edited' or 'same', fields and values of the status as it is now}; {'absent'} when it is not in Redis; {'gone'} when it is deleted, or somebody else's; {'inactive'} without an active account;
           {'busy'} when the lane is full; {'media'} when a picture is neither the status's nor an upload, or its new file is not noted any more
  Holds    the words, the former version, the id of the edit and its job appear together; edits of a status rise; an edit that changes nothing is none; the first version and the newest stay
           longest: beyond the bounds the oldest edits are forgotten; a picture is the status's or an upload, its file is named by a record and counted, or due to be deleted. A version says by 'pictures' that it names all of its own
]]
--#include now
--#include next_id
--#include enqueue
--#include media_bytes
--#include give_back
local user, status, edits, ids, stats, high, uploads, media_due, media_bytes = unpack(KEYS)
local now, shard, author, id, depth_max = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], tonumber(ARGV[5])
local versions_max, bytes_max, life, uploads_max =
  tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local decisive, first = tonumber(ARGV[10]), 11

local fields, was = redis.call('HGETALL', status), {}
for i = 1, #fields, 2 do
  was[fields[i]] = fields[i + 1]
end
if #fields == 0 then
  return { 'absent' }
end
if was.uid ~= author or was.gone then
  return { 'gone' }
end

local version, changed, set, gone, files = { edit = was.edit, pictures = '1' }, false, {}, {}, {}
for i = first, #ARGV, 2 do
  local name, value = ARGV[i], ARGV[i + 1]
  version[name] = was[name]
  changed = changed or i < first + 2 * decisive and (was[name] or '') ~= value
  if string.match(name, '^media%d$') then
    local media, file = string.match(value, '^(%d+) (%S+)')
    if media then
      files[media] = file
    end
  end
  if value ~= '' then
    set[#set + 1] = name
    set[#set + 1] = value
  elseif was[name] then
    gone[#gone + 1] = name
  end
end
if not changed then
  return { 'same', fields }
end

if redis.call('HGET', user, 'state') ~= 'active' then
  return { 'inactive' }
end
if redis.call('LLEN', high) >= depth_max then
  return { 'busy' }
end

local had = {}
for i = 1, 4 do
  local media, file = string.match(was['media' .. i] or '', '^(%d+) (%S+)')
  if media then
    had[media] = { file = file, line = was['media' .. i] }
  end
end
for media, file in pairs(files) do
  if not had[media] then
    local line = redis.call('HGET', uploads, media)
    if not line or string.match(line, '^%d+ (%S+)') ~= file then
      return { 'media' }
    end
  elseif had[media].file ~= file and tonumber(redis.call('ZSCORE', media_due, file) or '0') <= now then
    return { 'media' }
  end
end
for media, file in pairs(files) do
  if not had[media] then
    redis.call('HDEL', uploads, media)
    redis.call('ZREM', media_due, file .. ' ' .. author .. ' ' .. media)
  elseif had[media].file ~= file then
    redis.call('ZREM', media_due, file)
    redis.call('ZADD', media_due, 0, had[media].file)
  end
end
for media, it in pairs(had) do
  if not files[media] then
    give_back(uploads, media_due, media_bytes, author, it.line, string.format('%.0f', now + life), uploads_max)
  end
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
return { 'edited', redis.call('HGETALL', status) }
