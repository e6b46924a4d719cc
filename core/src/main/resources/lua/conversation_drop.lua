#!lua flags=allow-oom
--[[
  conversation_drop - an account takes a conversation off its list; a new message brings one without the former statuses

  KEYS[1]  order      ZSET  of the account: conversation by its newest status
  KEYS[2]  lines      HASH  of the account: see lib/conversation.lua
  KEYS[3]  ended      ZSET  of the account: status by itself that has been taken out
  ARGV[1]  id               of the conversation
  ARGV[2]  ended_max        statuses that are remembered: the newest
  ARGV[3]  memory           ms for which they are

  Returns  1; 0 when there is none
  Holds    its statuses do not come back with a job that runs again
]]
--#include conversation
local order, lines, ended = unpack(KEYS)
local id, ended_max, memory = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local it = conversation_of(lines, id)
if not it then
  return 0
end
conversation_end(ended, it.statuses, ended_max, memory)
conversation_drop(order, lines, id, it)
return 1
