#!lua
--[[
  sign_up - write an account that nobody sees yet, and which request asks for it

  KEYS[1]  user  HASH
  KEYS[2]  idem  STRING  of the request; absent = it has no Idempotency-Key
  ARGV[1]  life of the account, s, until activate
  ARGV[2]  account
  ARGV[3]  what was asked, as a digest; empty = it has no Idempotency-Key
  ARGV[4]  life of the request, s
  ARGV[5..]  names and values of fields in turn

  Returns  1
  Holds    an account that is never finished goes by itself; who repeats the request finds the account that it asked for
]]
local user, idem = KEYS[1], KEYS[2]

redis.call('HSET', user, 'state', 'joining', unpack(ARGV, 5))
redis.call('EXPIRE', user, ARGV[1])
if idem then
  redis.call('SET', idem, ARGV[2] .. ' ' .. ARGV[3], 'EX', ARGV[4])
end
return 1
