#!lua flags=allow-oom
--[[
  address_release - take an e-mail address from an account that has not confirmed it in time, or does not have it any more

  KEYS[1]  user    HASH    of the account that has claimed the address
  KEYS[2]  change  STRING  of the account: '<wanted or former> <ms> <pwrev> <address>'
  ARGV[1]  now      ms, empty = the server's clock
  ARGV[2]  address
  ARGV[3]  life     ms of a claim without a confirmation; empty = it does not end

  Returns  1 when the account does not have the address any more, or 0 when it keeps it
  Holds    an account keeps an address that it has confirmed or that needs no confirmation, that it is about to get, or that can be restored; without the address it stays what it is
]]
--#include now
local user, change = KEYS[1], KEYS[2]
local now, address, life = now_ms(ARGV[1]), ARGV[2], tonumber(ARGV[3])

local state, email, since = unpack(redis.call('HMGET', user, 'state', 'email', 'unconfirmed'))
if state ~= 'active' and state ~= 'suspended' and state ~= 'deleted' then
  return 0
end
if email == address then
  if not life or not since or now - tonumber(since) < life then
    return 0
  end
  redis.call('HDEL', user, 'email', 'unconfirmed')
elseif string.match(redis.call('GET', change) or '', '^%S+ %d+ %d+ (.*)$') == address then
  return 0
end
return 1
