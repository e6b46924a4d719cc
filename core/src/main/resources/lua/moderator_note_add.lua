#!lua
--[[
  moderator_note_add - note something about an account, for moderators

  KEYS[1]  user   HASH  of the account
  KEYS[2]  notes  HASH  of the account: number to '<ms> <author, 0 = an operator> <name of the operator, or - > <text>'; last: the newest number
  ARGV[1]  now     ms, empty = the server's clock
  ARGV[2]  author  account, 0 = an operator
  ARGV[3]  name    of the operator, without spaces; '-' = none
  ARGV[4]  text
  ARGV[5]  max     notes

  Returns  the number of the note; 0 when the account has max notes, -1 when there is no such account: then nothing is changed
  Holds    numbers ascend and are never used again while the account has notes
]]
--#include now
local user, notes = KEYS[1], KEYS[2]
local now, author, name, text, max = now_ms(ARGV[1]), unpack(ARGV, 2)

local state = redis.call('HGET', user, 'state')
if state ~= 'active' and state ~= 'suspended' and state ~= 'applied' then
  return -1
end
if redis.call('HLEN', notes) > tonumber(max) then
  return 0
end
local number = redis.call('HINCRBY', notes, 'last', 1)
redis.call('HSET', notes, number, string.format('%d', now) .. ' ' .. author .. ' ' .. name .. ' ' .. text)
return number
