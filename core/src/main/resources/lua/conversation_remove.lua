#!lua flags=allow-oom
--[[
  conversation_remove - takes a deleted direct message out of the conversations of one who took part in it

  KEYS[1]  order         ZSET  of the account: conversation by its newest status
  KEYS[2]  lines         HASH  of the account: see lib/conversation.lua
  KEYS[3]  ended         ZSET  of the account: status by itself that has been taken out
  ARGV[1]  status
  ARGV[2]  root                the status with which the conversation began
  ARGV[3]  participants        the others, see lib/conversation.lua
  ARGV[4]  ended_max           statuses that are remembered: the newest
  ARGV[5]  memory              ms for which they are

  Returns  1 when it was there, else 0
  Holds    the status does not come back with a job that runs again; a conversation without statuses goes
]]
--#include conversation
local order, lines, ended = unpack(KEYS)
local status, root, participants, ended_max, memory = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]

conversation_end(ended, { status }, ended_max, memory)
local id = redis.call('HGET', lines, conversation_name(root, participants))
local it = id and conversation_of(lines, id)
for place, kept in ipairs(it and it.statuses or {}) do
  if kept == status then
    table.remove(it.statuses, place)
    if it.statuses[1] then
      conversation_set(order, lines, id, it)
    else
      conversation_drop(order, lines, id, it)
    end
    return 1
  end
end
return 0
