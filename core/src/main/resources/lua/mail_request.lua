#!lua
--[[
  mail_request - enqueue a mail to an account

  KEYS[1]  user   HASH  of the account
  KEYS[2]  stats  HASH  of the shard's queue
  KEYS[3]  lane   LIST  of the shard's queue
  ARGV[1]  now       ms, empty = the server's clock
  ARGV[2]  account
  ARGV[3]  kind      see MailKind.java
  ARGV[4]  subject   an id, or 0
  ARGV[5]  language  see MailLanguage.java; empty = that of the posts of the account
  ARGV[6]  suspended  '1' = also to a suspended account

  Returns  1, or 0 when the account has no address or is neither active nor suspended where it may be: then nothing is enqueued
  Holds    the job has no text and no secret
]]
--#include now
--#include enqueue
local user, stats, lane = unpack(KEYS)
local now, account, kind, subject, language, suspended = now_ms(ARGV[1]), unpack(ARGV, 2)

local state, email, posts_in = unpack(redis.call('HMGET', user, 'state', 'email', 'language'))
if not email or (state ~= 'active' and (state ~= 'suspended' or suspended ~= '1')) then
  return 0
end
if language == '' then
  language = string.match(posts_in or '', '^zh') or 'en'
end
local made = string.format('%d', now)
enqueue(
  lane,
  stats,
  now,
  'mail' .. job_version .. account .. ' ' .. kind .. ' ' .. subject .. ' ' .. made .. ' ' .. language
)
return 1
