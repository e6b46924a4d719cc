#!lua
--[[
  mail_link - store the link of a mail that is about to be sent

  KEYS[1]  user    HASH    of the account
  KEYS[2]  links   HASH    of the account: digest of the token to '<kind> <made> <ends> <bound>'
  KEYS[3]  change  STRING  of the account: '<wanted or former> <ms> <pwrev> <address>'
  ARGV[1]  now     ms, empty = the server's clock
  ARGV[2]  kind    see MailKind.java
  ARGV[3]  digest  of the token
  ARGV[4]  made    ms: when the mail was requested
  ARGV[5]  ends    ms
  ARGV[6]  max     links of a kind

  Returns  {name, address}; {} when the account is not active or has no such address, its address needs no confirmation, another change of address was requested since, or the link would have ended: then nothing is stored
  Holds    a link is bound to the password that the account has now, that of an address to the address; a suspended account gets the notice of a change of address; of a kind at most max are kept, the newest; the key ends with its last link
]]
--#include now
local user, links, change = unpack(KEYS)
local now, kind, digest, made, ends, max =
  now_ms(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])

local state, name, email, rev, unconfirmed =
  unpack(redis.call('HMGET', user, 'state', 'name', 'email', 'pwrev', 'unconfirmed'))
local bound = rev or '0'
if kind == 'confirm' then
  bound = unconfirmed
elseif kind == 'new_address' or kind == 'address_changed' then
  local of = kind == 'new_address' and 'wanted' or 'former'
  bound, email = string.match(redis.call('GET', change) or '', '^' .. of .. ' (%d+) %d+ (.*)$')
  if bound ~= ARGV[4] then
    return {}
  end
end
local reached = state == 'active' or (state == 'suspended' and kind == 'address_changed')
if not reached or not email or not bound or ends <= now then
  return {}
end
local last, same, all = ends, {}, redis.call('HGETALL', links)
for i = 1, #all, 2 do
  local of, at, till = string.match(all[i + 1], '^(%S+) (%d+) (%d+) ')
  if not till or tonumber(till) <= now then
    redis.call('HDEL', links, all[i])
  else
    last = math.max(last, tonumber(till))
    if of == kind then
      same[#same + 1] = { all[i], tonumber(at) }
    end
  end
end
table.sort(same, function(a, b)
  return a[2] < b[2]
end)
for i = 1, #same - max + 1 do
  redis.call('HDEL', links, same[i][1])
end
redis.call('HSET', links, digest, kind .. ' ' .. string.format('%d %d', made, ends) .. ' ' .. bound)
redis.call('PEXPIRE', links, string.format('%d', last - now))
return { name, email }
