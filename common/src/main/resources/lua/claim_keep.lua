#!lua
--[[
  claim_keep - make the claim on a name or address permanent, or let it live as long as an application

  KEYS[1]  claim  STRING  account id
  ARGV[1]  account
  ARGV[2]  life   s; empty = for ever

  Returns  1, or 0 when the claim has expired or is somebody else's
  Holds    a claim is never taken from another account, and never gets a shorter life
]]
local claim, account, life = KEYS[1], ARGV[1], ARGV[2]

if redis.call('GET', claim) ~= account then
  return 0
end
if life == '' then
  redis.call('PERSIST', claim)
elseif redis.call('TTL', claim) >= 0 then
  redis.call('EXPIRE', claim, life)
end
return 1
