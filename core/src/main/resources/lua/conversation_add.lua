#!lua
--[[
  conversation_add - a direct message in the conversations of one who takes part in it

  KEYS[1]  order         ZSET    of the account: conversation by its newest status
  KEYS[2]  lines         HASH    of the account: see lib/conversation.lua
  KEYS[3]  ended         ZSET    of the account: status by itself that has been taken out
  KEYS[4]  ids           STRING  last id of the shard
  KEYS[5]  user          HASH    of the account
  ARGV[1]  now                   ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard                 of the account
  ARGV[3]  status
  ARGV[4]  own                   1 = the account has written it
  ARGV[5]  root                  the status with which the conversation began
  ARGV[6]  participants          the others, see lib/conversation.lua
  ARGV[7]  max                   conversations of an account
  ARGV[8]  statuses_max          statuses that are kept of one: the newest
  ARGV[9]  ended_max             statuses that are remembered: the newest
  ARGV[10] memory                ms for which they are

  Returns  {id of the conversation, id of its newest change}; {'0', '0'} when the status has been taken out, or is older than what is kept, or the account is deleted
  Holds    doing it again changes nothing; what the account has written itself is read, with all before it. Beyond max the oldest conversation goes in which the account has written nothing, or else the
           oldest: strangers do not push out what it takes part in
]]
--#include now
--#include next_id
--#include conversation
local order, lines, ended, ids, user = unpack(KEYS)
local now, shard, status, own = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4] == '1'
local root, participants, max, statuses_max = ARGV[5], ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8])
local ended_max, memory = tonumber(ARGV[9]), ARGV[10]

if redis.call('ZSCORE', ended, status) or redis.call('HGET', user, 'state') == 'deleted' then
  return { '0', '0' }
end
local name, number = conversation_name(root, participants), tonumber(status)
local id = redis.call('HGET', lines, name)
local it = id and conversation_of(lines, id)
if it then
  local place = #it.statuses + 1
  while place > 1 and tonumber(it.statuses[place - 1]) >= number do
    place = place - 1
  end
  if it.statuses[place] == status then
    return { id, it.change }
  end
  if place == 1 and #it.statuses >= statuses_max then
    return { '0', '0' }
  end
  table.insert(it.statuses, place, status)
  while #it.statuses > statuses_max do
    conversation_end(ended, { table.remove(it.statuses, 1) }, ended_max, memory)
  end
else
  local oldest = redis.call('ZRANGE', order, 0, 0, 'WITHSCORES')
  if redis.call('ZCARD', order) >= max and number < tonumber(oldest[2]) then
    return { '0', '0' }
  end
  id = id or next_id(ids, shard, now)
  it = { read = '0', wrote = '0', root = root, participants = participants, statuses = { status } }
  redis.call('HSET', lines, name, id)
end
if own then
  it.wrote = '1'
  if number > tonumber(it.read) then
    it.read = status
  end
end
it.change = next_id(ids, shard, now)
conversation_set(order, lines, id, it)
for _ = max + 1, redis.call('ZCARD', order) do
  local all = redis.call('ZRANGE', order, 0, -1)
  local out = all[1]
  local line = conversation_of(lines, out)
  for _, old in ipairs(all) do
    local candidate = conversation_of(lines, old)
    if old ~= id and (not candidate or candidate.wrote == '0') then
      out, line = old, candidate
      break
    end
  end
  conversation_end(ended, line and line.statuses or {}, ended_max, memory)
  conversation_drop(order, lines, out, line)
end
return { id, it.change }
