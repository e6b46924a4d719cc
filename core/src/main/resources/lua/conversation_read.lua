#!lua
--[[
  conversation_read - mark one of an account's conversations as read or unread, all of it

  KEYS[1]  order  ZSET    of the account: conversation by its newest status
  KEYS[2]  lines  HASH    of the account: see lib/conversation.lua
  KEYS[3]  ids    STRING  last id of the shard
  ARGV[1]  now            ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard          of the account
  ARGV[3]  id             of the conversation
  ARGV[4]  unread         1 = as unread

  Returns  id of its newest change, '0' when nothing has changed; nil when there is none
]]
--#include now
--#include next_id
--#include conversation
local order, lines, ids = unpack(KEYS)
local now, shard, id = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3]

local it = conversation_of(lines, id)
if not it then
  return false
end
local newest = it.statuses[#it.statuses]
local read = ARGV[4] == '1' and '0' or newest
if it.read == read or (read ~= '0' and tonumber(it.read) > tonumber(newest)) then
  return '0'
end
it.read = read
it.change = next_id(ids, shard, now)
conversation_set(order, lines, id, it)
return it.change
