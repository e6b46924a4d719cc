#!lua
--[[
  push_update - change of what a push subscription tells

  KEYS[1]  subscriptions  HASH  of the account, see push_subscribe.lua
  ARGV[1]  token id
  ARGV[2]  alerts
  ARGV[3]  policy

  Returns  the subscription as it is then; false when the token has none: then nothing is changed
]]
local line = redis.call('HGET', KEYS[1], ARGV[1])
if not line then
  return false
end
local head, tail = string.match(line, '^(%d+ %d+) %S+ %S+ (.*)$')
local changed = head .. ' ' .. ARGV[2] .. ' ' .. ARGV[3] .. ' ' .. tail
redis.call('HSET', KEYS[1], ARGV[1], changed)
return changed
