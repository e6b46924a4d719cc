#!lua flags=allow-oom
--[[
  warn - keep a warning to an account, and the notification of it

  KEYS[1]  warnings           HASH    of the account, see Warnings.java
  KEYS[2]  notifications      ZSET    notification by its id
  KEYS[3]  ids                STRING  last id of a notification of the shard
  KEYS[4]  former             STRING  last id of the shard
  KEYS[5]  user               HASH    of the account
  ARGV[1]  now                ms, empty = the server's clock
  ARGV[2]  shard
  ARGV[3]  account
  ARGV[4]  warning            JSON, whose field same is ARGV[5]
  ARGV[5]  same               equal for the same act
  ARGV[6]  life               ms in which the same act is a repetition; 0 = while its warning is kept and not overturned
  ARGV[7]  max                warnings kept
  ARGV[8]  notifications_max  notifications kept

  Returns  {'new' or 'same', id of the warning}; {'absent'} when there is no such account, or it is deleted: then nothing is changed
  Holds    a warning and its notification appear together, under one id, and leave together when more than max are there; a repetition keeps the first one
]]
--#include now
--#include next_id
--#include subject_ms
local warnings, notifications, ids, former, user = unpack(KEYS)
local now, shard, account, warning, same, life =
  now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])
local max, notifications_max = tonumber(ARGV[7]), tonumber(ARGV[8])

local state = redis.call('HGET', user, 'state')
if state ~= 'active' and state ~= 'suspended' then
  return { 'absent' }
end
local before = redis.call('HGET', warnings, '=' .. same)
if before and (life == 0 or now - subject_ms(before) < life) then
  return { 'same', before }
end

local id = next_id(ids, shard, now, former)
redis.call('HSET', warnings, id, warning, '=' .. same, id)
redis.call('ZADD', notifications, id, 'moderation_warning ' .. account .. ' ' .. id)
redis.call('ZREMRANGEBYRANK', notifications, 0, -notifications_max - 1)

local kept, fields = {}, redis.call('HGETALL', warnings)
for i = 1, #fields, 2 do
  if string.match(fields[i], '^%d+$') then
    kept[#kept + 1] = tonumber(fields[i])
  end
end
table.sort(kept)
for i = 1, #kept - max do
  local oldest = string.format('%d', kept[i])
  local of = '=' .. cjson.decode(redis.call('HGET', warnings, oldest)).same
  if redis.call('HGET', warnings, of) == oldest then
    redis.call('HDEL', warnings, of)
  end
  redis.call('HDEL', warnings, oldest, oldest .. '.appeal')
  redis.call('ZREM', notifications, 'moderation_warning ' .. account .. ' ' .. oldest)
end
return { 'new', id }
