#!lua flags=allow-oom
--[[
  claim_drop - give the claim on a name or address back

  KEYS[1]  claim  STRING  account id
  ARGV[1]  account

  Returns  1, or 0 when it is not (or no longer) this account's
  Holds    a claim is never taken from another account
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('DEL', KEYS[1])
