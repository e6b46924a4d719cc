#!lua
--[[
  issue_token - list a new access token; a full list loses its oldest

  KEYS[1]  tokens:{s}:u or apptokens:<client>  HASH  token id to '<issued, epoch s> <client id> <scopes>', then a tab each: browser, system, <used last, epoch s>, <a code given, epoch s>, network; of an account whose address has to be confirmed first with a '%' before the token id; of one that waits for approval with a '?' before that, and with the life of the account
  KEYS[2]  user:{s}:u  HASH  only for a token that was asked for with a password
  KEYS[3]  counts:{s}  HASH  the same: of the shard
  ARGV[1]  token id
  ARGV[2]  what is listed of it, starting with its epoch second and a space
  ARGV[3]  how many tokens a list may hold
  ARGV[4]  with KEYS[2]: the pwrev of the password that was right

  Returns  1, 2 when another token had to go for it, or 0 when the account has another password by now, is suspended or deleted: then nothing is listed
  Holds    the id of a token of an account that is held has a '?' before it, so that it is not found until mail_confirm; a log-in counts in its week; never more than ARGV[3] tokens are listed; a token that is not listed is refused
]]
local list = KEYS[1]
local token, listed, max = ARGV[1], ARGV[2], tonumber(ARGV[3])

local life
if KEYS[2] then
  local rev, state, held = unpack(redis.call('HMGET', KEYS[2], 'pwrev', 'state', 'held'))
  if (rev or '0') ~= ARGV[4] or state == 'suspended' or state == 'deleted' then
    return 0
  end
  if held then
    token = '%' .. token
  end
  if state == 'applied' then
    token = '?' .. token
    life = redis.call('TTL', KEYS[2])
  end
end
local answer = 1
if redis.call('HLEN', list) >= max then
  local all = redis.call('HGETALL', list)
  local oldest, oldest_at
  for i = 1, #all, 2 do
    local at = tonumber(string.match(all[i + 1], '^%d+')) or 0
    if not oldest or at < oldest_at then
      oldest, oldest_at = all[i], at
    end
  end
  redis.call('HDEL', list, oldest)
  answer = 2
end
redis.call('HSET', list, token, listed)
if life then
  redis.call('EXPIRE', list, life)
end
if KEYS[3] then
  -- Made here, since tokens of apps do not need it.
  --#include count_week
  count_week(KEYS[3], 'logins', tonumber(string.match(listed, '^%d+')) * 1000, 1)
end
return answer
