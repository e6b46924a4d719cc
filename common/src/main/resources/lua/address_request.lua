#!lua
--[[
  address_request - note the e-mail address that an account wants, and enqueue the mail with its link

  KEYS[1]  user     HASH    of the account
  KEYS[2]  address  STRING  '<wanted or former> <ms> <pwrev> <address>'
  KEYS[3]  stats    HASH    of the shard's queue
  KEYS[4]  lane     LIST    of the shard's queue
  ARGV[1]  now       ms, empty = the server's clock
  ARGV[2]  account
  ARGV[3]  wanted
  ARGV[4]  life      ms of the request
  ARGV[5]  language  of the mail, see MailLanguage.java; empty = no mail
  ARGV[6]  over      '1' = a former address that can still be restored is given up

  Returns  when the address was requested, ms; 0 when the account is not active; the negative ms of its last change when the former address can still be restored: then nothing is changed
  Holds    an account wants one address at a time; the job has no address
]]
--#include now
--#include enqueue
local user, address, stats, lane = unpack(KEYS)
local now, account, wanted, life, language, over = now_ms(ARGV[1]), unpack(ARGV, 2)

local state, rev = unpack(redis.call('HMGET', user, 'state', 'pwrev'))
if state ~= 'active' then
  return 0
end
local changed = string.match(redis.call('GET', address) or '', '^former (%d+) ')
if changed and over ~= '1' then
  return -tonumber(changed)
end
local made = string.format('%d', now)
redis.call('SET', address, 'wanted ' .. made .. ' ' .. (rev or '0') .. ' ' .. wanted, 'PX', life)
if language ~= '' then
  enqueue(lane, stats, now, 'mail' .. job_version .. account .. ' new_address 0 ' .. made .. ' ' .. language)
end
return now
