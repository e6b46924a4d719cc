#!lua flags=allow-oom
--[[
  push_note - note how a push went

  KEYS[1]  subscriptions  HASH  of the account, see push_subscribe.lua
  ARGV[1]  now            epoch ms, empty = the server's clock
  ARGV[2]  token id
  ARGV[3]  id             of the subscription
  ARGV[4]  verdict        'sent', 'failed', or 'gone' = the push service does not know it any more
  ARGV[5]  patience       ms for which a subscription may fail
  ARGV[6]  notification   that was sent while its job was put off, empty = none
  ARGV[7]  sent max       of those that are remembered, the newest

  Returns  1 when the subscription has ended; 0 when it stays, or was not there
  Holds    a subscription that has only failed for the whole of its patience ends; so does one that is gone, at once
]]
--#include now
local subscriptions, token, id, verdict, notification = KEYS[1], ARGV[2], ARGV[3], ARGV[4], ARGV[6]
local line = redis.call('HGET', subscriptions, token)
if not line or string.match(line, '^(%d+) ') ~= id then
  return 0
end
local failing, middle, sent, tail = string.match(line, '^%d+ (%d+) (%S+ %S+ %S+) (%S+) (.*)$')
local now = now_ms(ARGV[1])
if verdict == 'gone' or (verdict == 'failed' and failing ~= '0' and now - tonumber(failing) >= tonumber(ARGV[5])) then
  redis.call('HDEL', subscriptions, token)
  return 1
end
if verdict == 'failed' then
  failing = failing == '0' and string.format('%.0f', now) or failing
else
  failing = '0'
end
if notification ~= '' then
  local all = { notification }
  for former in string.gmatch(sent, '%d+') do
    if former ~= notification then
      table.insert(all, former)
    end
  end
  table.sort(all, function(a, b)
    if #a == #b then
      return a > b
    end
    return #a > #b
  end)
  sent = table.concat(all, ',', 1, math.min(#all, tonumber(ARGV[7])))
end
redis.call('HSET', subscriptions, token, id .. ' ' .. failing .. ' ' .. middle .. ' ' .. sent .. ' ' .. tail)
return 0
