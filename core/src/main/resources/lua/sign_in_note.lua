#!lua
--[[
  sign_in_note - note the place of a log-in to an account, and enqueue a mail about a new one

  KEYS[1]  user    HASH  of the account
  KEYS[2]  places  HASH  of the account: digest of a place to '<first log-in, ms> <last, ms> <sealed description, or - >'
  KEYS[3]  stats   HASH  of the shard's queue
  KEYS[4]  lane    LIST  of the shard's queue
  ARGV[1]  now      ms, empty = the server's clock
  ARGV[2]  account
  ARGV[3]  sealed   description of the place for the mail; empty = a sign-up, of which no mail is sent
  ARGV[4]  max      places
  ARGV[5]  life     ms of the key after the last log-in
  ARGV[6]  day      ms in which so many mails are sent at most
  ARGV[7]  mails
  ARGV[8..]  digests of the place, one for each signing key, the newest key first

  Returns  1 when a mail is enqueued; 0 when the place is known, the account has no confirmed address or is not active, or enough mails were sent: then the place is noted all the same
  Holds    the places that were used last are kept, and those of the mails of a day, which are counted; a description is kept for as long as its mail may wait; the subject of the job is the time of the first log-in
]]
--#include now
--#include enqueue
local user, places, stats, lane = unpack(KEYS)
local now, account, sealed = now_ms(ARGV[1]), ARGV[2], ARGV[3]
local max, life, day, mails = tonumber(ARGV[4]), ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
local at = string.format('%d', now)

local first
for i = 8, #ARGV do
  local known = redis.call('HGET', places, ARGV[i])
  if known then
    first = first or known
    redis.call('HDEL', places, ARGV[i])
  end
end
local all, mailed, oldest, oldest_at = redis.call('HGETALL', places), 0, nil, nil
for i = 1, #all, 2 do
  local began, last, description = string.match(all[i + 1], '^(%d+) (%d+) (.*)$')
  if description ~= '-' and now - tonumber(began) < day then
    mailed = mailed + 1
  else
    if description ~= '-' then
      redis.call('HSET', places, all[i], began .. ' ' .. last .. ' -')
    end
    if not oldest or tonumber(last) < oldest_at then
      oldest, oldest_at = all[i], tonumber(last)
    end
  end
end
if #all / 2 >= max then
  redis.call('HDEL', places, oldest)
end
local answer = 0
if first then
  local began, _, description = string.match(first, '^(%d+) (%d+) (.*)$')
  first = began .. ' ' .. at .. ' ' .. (now - tonumber(began) < day and description or '-')
else
  local state, email, unconfirmed = unpack(redis.call('HMGET', user, 'state', 'email', 'unconfirmed'))
  if sealed ~= '' and mailed < mails and state == 'active' and email and not unconfirmed then
    enqueue(
      lane,
      stats,
      now,
      'mail'
        .. job_version
        .. account
        .. ' sign_in '
        .. at
        .. ' '
        .. at
        .. ' '
        .. (string.match(redis.call('HGET', user, 'language') or '', '^zh') or 'en')
    )
    answer = 1
  end
  first = at .. ' ' .. at .. ' ' .. (answer == 1 and sealed or '-')
end
redis.call('HSET', places, ARGV[8], first)
redis.call('PEXPIRE', places, life)
return answer
