#!lua
--[[
  renew_password - store another hash of the same password

  KEYS[1]  user:{s}:u  HASH
  ARGV[1]  the hash that the password was checked against
  ARGV[2]  the new one

  Returns  1, or 0 when the account has another password by now: then nothing is changed
  Holds    a change of password is never undone
]]
local user = KEYS[1]

if redis.call('HGET', user, 'pw') ~= ARGV[1] then
  return 0
end
redis.call('HSET', user, 'pw', ARGV[2])
return 1
