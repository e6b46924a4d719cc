#!lua flags=allow-oom
--[[
  address_undo - restore the former e-mail address of an account by a mailed link, and end all sessions, apps and links of the account

  KEYS[1]  user     HASH    of the account
  KEYS[2]  address  STRING  '<wanted or former> <ms> <pwrev> <address>'
  KEYS[3]  tokens   HASH    of the account
  KEYS[4]  links    HASH    of the account: digest of the token to '<kind> <made> <ends> <bound>'
  KEYS[5]  stats    HASH    of the shard's queue
  KEYS[6]  lane     LIST    of the shard's queue
  ARGV[1]  now       ms, empty = the server's clock
  ARGV[2]  account
  ARGV[3]  digest    of the token of the link
  ARGV[4]  language  of the mail, see MailLanguage.java

  Returns  the address that the account had until now, empty = none; nil when the link is not good: it has been used or has ended, or the account is gone: then nothing is changed
  Holds    in one step: the account has the former address and no password, no token or link that was issued before is good, pwrev goes up, and the mail by which the owner of an active account chooses
           a password is enqueued
]]
--#include now
--#include enqueue
local user, address, tokens, links, stats, lane = unpack(KEYS)
local now, account, digest, language = now_ms(ARGV[1]), unpack(ARGV, 2)

local at, former = string.match(redis.call('GET', address) or '', '^former (%d+) %d+ (.*)$')
local link = redis.call('HGET', links, digest)
local ends, bound = string.match(link or '', '^address_changed %d+ (%d+) (%d+)$')
local state, email = unpack(redis.call('HMGET', user, 'state', 'email'))
if not at or at ~= bound or tonumber(ends) <= now or (state ~= 'active' and state ~= 'suspended') then
  return nil
end
redis.call('HSET', user, 'email', former, 'pw', '')
redis.call('HDEL', user, 'unconfirmed')
redis.call('HINCRBY', user, 'pwrev', 1)
redis.call('DEL', tokens, links, address)
local made = string.format('%d', now)
if state == 'active' then
  enqueue(lane, stats, now, 'mail' .. job_version .. account .. ' reset 0 ' .. made .. ' ' .. language)
end
return email or ''
