#!lua
--[[
  set_note - what an account notes about another, for itself

  KEYS[1]  user   HASH  of who notes
  KEYS[2]  notes  HASH  of who notes: account id to text
  ARGV[1]  about        account
  ARGV[2]  text         not empty: the end of a note needs no script
  ARGV[3]  max          accounts that one may have notes about

  Returns  'set'; 'inactive' without an active account; 'full' at the limit
]]
local user, notes = unpack(KEYS)
local about, text, max = ARGV[1], ARGV[2], tonumber(ARGV[3])

if redis.call('HGET', user, 'state') ~= 'active' then
  return 'inactive'
end
if redis.call('HEXISTS', notes, about) == 0 and redis.call('HLEN', notes) >= max then
  return 'full'
end
redis.call('HSET', notes, about, text)
return 'set'
