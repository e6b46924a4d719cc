#!lua
--[[
  sign_up - write an account that nobody sees yet

  KEYS[1]  user  HASH
  ARGV[1]  life of the account, s, until activate or apply
  ARGV[2]  state  joining, or applying: its sign-up ends with apply
  ARGV[3..]  names and values of fields in turn

  Returns  1; 0 when the account is there: a repetition of the request has written it, and nothing is changed
  Holds    an account that is never finished goes by itself; no repetition changes the password of an account
]]
local user = KEYS[1]

if redis.call('EXISTS', user) == 1 then
  return 0
end
redis.call('HSET', user, 'state', ARGV[2], unpack(ARGV, 3))
redis.call('EXPIRE', user, ARGV[1])
return 1
