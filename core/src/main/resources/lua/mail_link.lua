#!lua
--[[
  mail_link - store the link of a mail that is about to be sent

  KEYS[1]  user   HASH  of the account
  KEYS[2]  links  HASH  of the account: digest of the token to '<kind> <made> <ends> <bound>'
  ARGV[1]  now     ms, empty = the server's clock
  ARGV[2]  kind    see MailKind.java
  ARGV[3]  digest  of the token
  ARGV[4]  made    ms: when the mail was requested
  ARGV[5]  ends    ms
  ARGV[6]  max     links of a kind

  Returns  {name, address}; {} when the account is not active or has no address, its address needs no confirmation, or the link would have ended: then nothing is stored
  Holds    a link is bound to the password that the account has now, that of an address to the address; of a kind at most max are kept, the newest; the key ends with its last link
]]
--#include now
local user, links = KEYS[1], KEYS[2]
local now, kind, digest, made, ends, max =
  now_ms(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])

local bound_to = kind == 'reset' and 'pwrev' or 'unconfirmed'
local state, name, email, bound = unpack(redis.call('HMGET', user, 'state', 'name', 'email', bound_to))
if state ~= 'active' or not email or ends <= now or (kind == 'confirm' and not bound) then
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
redis.call('HSET', links, digest, kind .. ' ' .. string.format('%d %d', made, ends) .. ' ' .. (bound or '0'))
redis.call('PEXPIRE', links, string.format('%d', last - now))
return { name, email }
