#!lua flags=allow-oom
--[[
  claim_drop - give the claim on a name or address back

  KEYS[1]  claim  STRING  account id
  ARGV[1]  account
  ARGV[2]  life   s after which it ends; empty = at once

  Returns  1, or 0 when it is not (or no longer) this account's
  Holds    a claim is never taken from another account
]]
local claim, account, life = KEYS[1], ARGV[1], ARGV[2] or ''

if redis.call('GET', claim) ~= account then
  return 0
end
if life ~= '' then
  return redis.call('EXPIRE', claim, life)
end
return redis.call('DEL', claim)
