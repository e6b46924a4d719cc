#!lua
--[[
  update_account - change what a user says of an account

  KEYS[1]  user:{s}:u  HASH
  ARGV     names and values of fields in turn; an empty value takes the field out, since it is the ordinary one

  Returns  1, or 0 when there is no such active account: then nothing is changed
  Holds    rev goes up with every change, in the same step
]]
local user = KEYS[1]

if redis.call('HGET', user, 'state') ~= 'active' then
  return 0
end
for i = 1, #ARGV, 2 do
  if ARGV[i + 1] == '' then
    redis.call('HDEL', user, ARGV[i])
  else
    redis.call('HSET', user, ARGV[i], ARGV[i + 1])
  end
end
redis.call('HINCRBY', user, 'rev', 1)
return 1
