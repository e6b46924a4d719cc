#!lua flags=no-writes
--[[
  conversation_facts - which of an account's conversations cannot be found as they must

  KEYS[1]  order   ZSET  of the account: conversation by its newest status
  KEYS[2]  lines   HASH  of the account: see lib/conversation.lua
  ARGV[1]  max           conversations of an account

  Returns  the members of order and the fields of lines that do not agree, each once
]]
--#include conversation
local order, lines = KEYS[1], KEYS[2]
local max = tonumber(ARGV[1])

local wrong, of_name, all = {}, {}, redis.call('HGETALL', lines)
for i = 1, #all, 2 do
  local field = all[i]
  if string.find(field, '^%d+$') then
    local it = conversation_of(lines, field)
    local newest = it and it.statuses[#it.statuses]
    local score = redis.call('ZSCORE', order, field)
    if
      not it
      or not score
      or tonumber(score) ~= tonumber(newest)
      or redis.call('HGET', lines, conversation_name(it.root, it.participants)) ~= field
    then
      wrong[#wrong + 1] = field
    else
      of_name[conversation_name(it.root, it.participants)] = true
    end
  end
end
for i = 1, #all, 2 do
  local field = all[i]
  if not string.find(field, '^%d+$') and not of_name[field] and redis.call('HEXISTS', lines, all[i + 1]) == 0 then
    wrong[#wrong + 1] = field
  end
end
for place, id in ipairs(redis.call('ZRANGE', order, 0, -1, 'REV')) do
  if redis.call('HEXISTS', lines, id) == 0 or place > max then
    wrong[#wrong + 1] = id
  end
end
return wrong
