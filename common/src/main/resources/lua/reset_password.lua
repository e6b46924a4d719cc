#!lua flags=allow-oom
--[[
  reset_password - give an account another password without the one before, and end whatever was opened with that

  KEYS[1]  user:{s}:u    HASH
  KEYS[2]  tokens:{s}:u  HASH
  ARGV[1]  hash of the new password

  Returns  how many tokens have ended, or -1 when there is no such account: then nothing is changed
  Holds    in one step: no token that was issued before is good afterwards, and pwrev goes up, so that what was proven with the old password is worth no token
]]
local user, list = KEYS[1], KEYS[2]

local state = redis.call('HGET', user, 'state')
if state ~= 'active' and state ~= 'suspended' then
  return -1
end
local ended = redis.call('HLEN', list)
redis.call('HSET', user, 'pw', ARGV[1])
redis.call('HINCRBY', user, 'pwrev', 1)
redis.call('DEL', list)
return ended
