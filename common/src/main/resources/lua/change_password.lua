#!lua flags=allow-oom
--[[
  change_password - give an account another password, and end whatever was opened with the one before

  KEYS[1]  user:{s}:u    HASH
  KEYS[2]  tokens:{s}:u  HASH
  ARGV[1]  hash of the new password
  ARGV[2]  id of the token that asks for it, which stays

  Returns  1, or 0 when that token is not listed any more: then nothing is changed
  Holds    in one step: no other token that was issued before is good afterwards, and pwrev goes up, so that what was proven with the old password is worth no token
]]
local user, list = KEYS[1], KEYS[2]
local hash, kept = ARGV[1], ARGV[2]

local listed = redis.call('HGET', list, kept)
if not listed then
  return 0
end
redis.call('HSET', user, 'pw', hash)
redis.call('HINCRBY', user, 'pwrev', 1)
redis.call('DEL', list)
redis.call('HSET', list, kept, listed)
return 1
