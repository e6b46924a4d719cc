#!lua
--[[
  factor_use - decide whether a code of a second factor is good, once, and do what it permits

  KEYS[1]  factor:{s}:u  HASH
  KEYS[2]  user:{s}:u    HASH
  KEYS[3]  tokens:{s}:u  HASH
  ARGV[1]  now           epoch s
  ARGV[2]  secret        sealed, as it was read; empty = there was none
  ARGV[3]  step          time step whose code it is; empty = none
  ARGV[4]  digest        of a recovery code; empty = it has the form of a code by time
  ARGV[5]  rev           pwrev of the password that was right; empty = any
  ARGV[6]  act           LOG_IN, CONFIRM, RENEW or REMOVE
  ARGV[7]  token         that acts; empty = a log-in
  ARGV[8]  resealed      the secret, sealed by the key that signs now; empty = it is
  ARGV[9]  free          wrong codes in a row before the first wait
  ARGV[10] wait          s of the first wait, which doubles with each further wrong code
  ARGV[11] longest       s of the longest wait
  ARGV[12..]             digests of new recovery codes, for RENEW

  Returns  'code' or 'recovery' when it is good; else, nothing but the count being changed, 'wrong', 'used' for a time step that was accepted before, 'wait' while codes by time are not looked at, 'stale' when there is no such factor, token or password any more; and the seconds to wait
  Holds    a time step and a recovery code are accepted once; while an account waits, no code by time is; wrong codes that come with a token make no log-in wait
]]
--#include confirm_token
local factor, user, tokens = KEYS[1], KEYS[2], KEYS[3]
local now, secret, step, digest, rev, act, token, resealed = tonumber(ARGV[1]), unpack(ARGV, 2, 8)
local free, first_wait, longest = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])

local wrong_field = token == '' and 'wrong' or 'token-wrong'
local wait_field = token == '' and 'wait' or 'token-wait'
local kept, on, last, wrong, waits =
  unpack(redis.call('HMGET', factor, 'secret', 'on', 'step', wrong_field, wait_field))
local state, pwrev = unpack(redis.call('HMGET', user, 'state', 'pwrev'))
if
  not on
  or kept ~= secret
  or state ~= 'active'
  or (rev ~= '' and rev ~= (pwrev or '0'))
  or (token ~= '' and redis.call('HEXISTS', tokens, token) == 0)
then
  return { 'stale', 0 }
end
local left = tonumber(waits or '0') - now
local verdict = 'wrong'
if digest ~= '' then
  if redis.call('HDEL', factor, 'code:' .. digest) == 1 then
    verdict = 'recovery'
  end
elseif left > 0 then
  return { 'wait', left }
elseif step ~= '' then
  verdict = tonumber(step) > tonumber(last) and 'code' or 'used'
end
if verdict == 'wrong' and left <= 0 then
  local count = tonumber(wrong or '0') + 1
  redis.call('HSET', factor, wrong_field, count)
  if count >= free then
    redis.call('HSET', factor, wait_field, now + math.min(first_wait * 2 ^ math.min(count - free, 20), longest))
  end
end
if verdict == 'wrong' or verdict == 'used' then
  return { verdict, 0 }
end
redis.call('HDEL', factor, wrong_field, wait_field)
if verdict == 'code' then
  redis.call('HSET', factor, 'step', step)
end
if resealed ~= '' then
  redis.call('HSET', factor, 'secret', resealed)
end
if act == 'REMOVE' then
  redis.call('DEL', factor)
  redis.call('HDEL', user, 'factor')
  redis.call('HINCRBY', user, 'pwrev', 1)
elseif act == 'RENEW' then
  for _, field in ipairs(redis.call('HGETALL', factor)) do
    if string.sub(field, 1, 5) == 'code:' then
      redis.call('HDEL', factor, field)
    end
  end
  for i = 12, #ARGV do
    redis.call('HSET', factor, 'code:' .. ARGV[i], '1')
  end
end
if token ~= '' then
  confirm_token(tokens, token, ARGV[1])
end
return { verdict, 0 }
