#!lua flags=allow-oom
--[[
  mail_confirm - confirm the address of an account by a mailed link

  KEYS[1]  user    HASH  of the account
  KEYS[2]  links   HASH  of the account: digest of the token to '<kind> <made> <ends> <bound>'
  KEYS[3]  tokens  HASH  of the account
  ARGV[1]  now     ms, empty = the server's clock
  ARGV[2]  digest  of the token of the link

  Returns  1, or 0 when the link is not good: it has been used or has ended, or the account has another address since, or is neither active nor waits for approval: then nothing is changed
  Holds    in one step: all links of this kind end, the address counts as confirmed, and tokens of an account that was held are good
]]
--#include now
--#include free_held
local user, links, tokens = unpack(KEYS)
local now, digest = now_ms(ARGV[1]), ARGV[2]

local link = redis.call('HGET', links, digest)
local ends, bound = string.match(link or '', '^confirm %d+ (%d+) (%d+)$')
if not ends or tonumber(ends) <= now then
  return 0
end
local state, since = unpack(redis.call('HMGET', user, 'state', 'unconfirmed'))
if (state ~= 'active' and state ~= 'applied') or since ~= bound then
  return 0
end
free_held(user, tokens)
redis.call('HDEL', user, 'unconfirmed')
local all = redis.call('HGETALL', links)
for i = 1, #all, 2 do
  if string.match(all[i + 1], '^confirm ') then
    redis.call('HDEL', links, all[i])
  end
end
return 1
