#!lua flags=allow-oom
--[[
  invitation_drop - revoke an invitation, or all of an account

  KEYS[1]  codes  HASH
  KEYS[2]  own    ZSET  code by its inviter
  KEYS[3]  ends   ZSET
  ARGV[1]  inviter  empty = whoever has made it
  ARGV[2]  code     empty = all of the inviter

  Returns  how many are revoked
  Holds    nobody revokes the invitation of another account but with an empty ARGV[1]
]]
local codes, own, ends = unpack(KEYS)
local inviter, code = ARGV[1], ARGV[2]

local dropped = { code }
if code == '' then
  dropped = redis.call('ZRANGE', own, inviter, inviter, 'BYSCORE')
elseif inviter ~= '' and redis.call('ZSCORE', own, code) ~= inviter then
  return 0
end
if #dropped == 0 then
  return 0
end
redis.call('ZREM', own, unpack(dropped))
redis.call('ZREM', ends, unpack(dropped))
return redis.call('HDEL', codes, unpack(dropped))
