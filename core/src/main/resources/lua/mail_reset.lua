#!lua flags=allow-oom
--[[
  mail_reset - give an account another password by a mailed link, and end all sessions, apps and links of the account

  KEYS[1]  user    HASH  of the account
  KEYS[2]  tokens  HASH  of the account
  KEYS[3]  links   HASH  of the account: digest of the token to '<kind> <made> <ends> <bound>'
  KEYS[4]  stats   HASH  of the shard's queue
  KEYS[5]  lane    LIST  of the shard's queue
  ARGV[1]  now       ms, empty = the server's clock
  ARGV[2]  digest    of the token of the link
  ARGV[3]  hash      of the new password
  ARGV[4]  account
  ARGV[5]  language  of the notice

  Returns  1, or 0 when the link is not good: it has been used or has ended, or the account has another password since, or is not active: then nothing is changed
  Holds    in one step: the links of the account end but those that restore a former address, no token that was issued before is good afterwards, pwrev goes up, and the notice is enqueued
]]
--#include now
--#include enqueue
local user, tokens, links, stats, lane = unpack(KEYS)
local now, digest, hash, account, language = now_ms(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local link = redis.call('HGET', links, digest)
local ends, bound = string.match(link or '', '^reset %d+ (%d+) (%d+)$')
if not ends or tonumber(ends) <= now then
  return 0
end
local state, rev = unpack(redis.call('HMGET', user, 'state', 'pwrev'))
if state ~= 'active' or (rev or '0') ~= bound then
  return 0
end
redis.call('HSET', user, 'pw', hash)
redis.call('HINCRBY', user, 'pwrev', 1)
redis.call('DEL', tokens)
local all = redis.call('HGETALL', links)
for i = 1, #all, 2 do
  -- The owner of a former address restores it, also after another reset of the password.
  if not string.match(all[i + 1], '^address_changed ') then
    redis.call('HDEL', links, all[i])
  end
end
local made = string.format('%d', now)
enqueue(lane, stats, now, 'mail' .. job_version .. account .. ' password_changed 0 ' .. made .. ' ' .. language)
return 1
