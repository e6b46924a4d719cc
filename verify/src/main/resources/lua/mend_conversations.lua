#!lua flags=allow-oom
--[[
  mend_conversations - lists the conversations of an account as their lines say

  KEYS[1]  order   ZSET  of the account: conversation by its newest status
  KEYS[2]  lines   HASH  of the account: see lib/conversation.lua
  ARGV[1]  max           conversations of an account

  Returns  how many there are
  Holds    what is no line goes; of two of the same root and participants the newer one stays
]]
--#include conversation
local order, lines = KEYS[1], KEYS[2]
local max = tonumber(ARGV[1])

local all, fields = {}, redis.call('HGETALL', lines)
for i = 1, #fields, 2 do
  local field = fields[i]
  local it = string.find(field, '^%d+$') and conversation_of(lines, field)
  if it then
    all[#all + 1] = { id = field, it = it }
  else
    redis.call('HDEL', lines, field)
  end
end
local function newest(one)
  return tonumber(one.it.statuses[#one.it.statuses])
end
table.sort(all, function(a, b)
  return newest(a) > newest(b)
end)
redis.call('UNLINK', order)
local taken, kept = {}, 0
for _, one in ipairs(all) do
  local name = conversation_name(one.it.root, one.it.participants)
  if taken[name] or kept >= max then
    redis.call('HDEL', lines, one.id)
  else
    taken[name] = true
    kept = kept + 1
    redis.call('HSET', lines, name, one.id)
    redis.call('ZADD', order, string.format('%.0f', newest(one)), one.id)
  end
end
return kept
