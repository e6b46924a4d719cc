#!lua flags=allow-oom
--[[
  address_release - take an e-mail address from an account that has not confirmed it in time

  KEYS[1]  user  HASH  of the account that has claimed the address
  ARGV[1]  now      ms, empty = the server's clock
  ARGV[2]  address
  ARGV[3]  life     ms of a claim without a confirmation

  Returns  1 when the account does not have the address any more, or 0 when it keeps it
  Holds    an account keeps an address that it has confirmed, or that needs no confirmation; without the address it stays what it is
]]
--#include now
local user, now, address, life = KEYS[1], now_ms(ARGV[1]), ARGV[2], tonumber(ARGV[3])

local state, email, since = unpack(redis.call('HMGET', user, 'state', 'email', 'unconfirmed'))
if state ~= 'active' and state ~= 'suspended' then
  return 0
end
if email == address then
  if not since or now - tonumber(since) < life then
    return 0
  end
  redis.call('HDEL', user, 'email', 'unconfirmed')
end
return 1
