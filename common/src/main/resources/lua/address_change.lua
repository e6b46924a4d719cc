#!lua flags=allow-oom
--[[
  address_change - give an account the e-mail address that it wants

  KEYS[1]  user     HASH    of the account
  KEYS[2]  address  STRING  '<wanted or former> <ms> <pwrev> <address>'
  KEYS[3]  tokens   HASH    of the account
  KEYS[4]  links    HASH    of the account: digest of the token to '<kind> <made> <ends> <bound>'
  KEYS[5]  stats    HASH    of the shard's queue
  KEYS[6]  lane     LIST    of the shard's queue
  ARGV[1]  now       ms, empty = the server's clock
  ARGV[2]  account
  ARGV[3]  wanted    the caller has claimed it for the account
  ARGV[4]  made      ms: when it was requested
  ARGV[5]  digest    of the token of the link; empty = no link is needed
  ARGV[6]  keep      ms for which the former address can be restored; 0 = not at all
  ARGV[7]  language  of the notice, see MailLanguage.java

  Returns  {former address, '1' if it can be restored}, empty = it had none; {} when the request or the link is not good: it has been used or has ended, another address was requested since, or the account has another password since, or is not active: then nothing is changed
  Holds    in one step: the account has the address, which counts as confirmed; all its mailed links end, tokens of an account that was held are good, and the notice to a confirmed former address is enqueued
]]
--#include now
--#include enqueue
--#include free_held
local user, address, tokens, links, stats, lane = unpack(KEYS)
local now, account, wanted, made, digest, keep, language = now_ms(ARGV[1]), unpack(ARGV, 2)

local at, rev, requested = string.match(redis.call('GET', address) or '', '^wanted (%d+) (%d+) (.*)$')
local state, former, unconfirmed, password = unpack(redis.call('HMGET', user, 'state', 'email', 'unconfirmed', 'pwrev'))
if state ~= 'active' or at ~= made or requested ~= wanted or rev ~= (password or '0') then
  return {}
end
if digest ~= '' then
  local link = redis.call('HGET', links, digest)
  local ends, bound = string.match(link or '', '^new_address %d+ (%d+) (%d+)$')
  if not ends or tonumber(ends) <= now or bound ~= at then
    return {}
  end
end
redis.call('HSET', user, 'email', wanted)
redis.call('HDEL', user, 'unconfirmed')
free_held(user, tokens)
redis.call('DEL', links, address)
-- Nobody has shown that an unconfirmed address is theirs: it must not get the account back.
if keep == '0' or not former or unconfirmed then
  return { former or '', '' }
end
local changed = string.format('%d', now)
redis.call('SET', address, 'former ' .. changed .. ' ' .. rev .. ' ' .. former, 'PX', keep)
enqueue(lane, stats, now, 'mail' .. job_version .. account .. ' address_changed 0 ' .. changed .. ' ' .. language)
return { former, '1' }
