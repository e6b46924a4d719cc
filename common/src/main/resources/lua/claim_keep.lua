#!lua
--[[
  claim_keep - make the claim on a name or address permanent

  KEYS[1]  claim  STRING  account id
  ARGV[1]  account

  Returns  1, or 0 when the claim has expired or is somebody else's
  Holds    a claim is never taken from another account
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('PERSIST', KEYS[1])
return 1
