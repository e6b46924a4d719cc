#!lua
--[[
  appeal - keep the appeal of an account against a warning, once

  KEYS[1]  warnings  HASH  of the account, see Warnings.java
  ARGV[1]  now       ms, empty = the server's clock
  ARGV[2]  id        of the warning
  ARGV[3]  text
  ARGV[4]  life      ms for which a warning can be appealed

  Returns  'new'; 'same' or 'other' = the account has appealed before, with this text or with another one; 'late' = the warning is too old; 'absent' = the account has no such warning
  Holds    a warning has one appeal, which stays as it is
]]
--#include now
--#include subject_ms
local warnings, now, id, text = KEYS[1], now_ms(ARGV[1]), ARGV[2], ARGV[3]

if redis.call('HEXISTS', warnings, id) == 0 then
  return 'absent'
end
local before = redis.call('HGET', warnings, id .. '.appeal')
if before then
  return string.match(before, '^%l+ %d+ (.*)$') == text and 'same' or 'other'
end
if now - subject_ms(id) > tonumber(ARGV[4]) then
  return 'late'
end
redis.call('HSET', warnings, id .. '.appeal', 'pending ' .. string.format('%d', now) .. ' ' .. text)
return 'new'
