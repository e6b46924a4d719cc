#!lua
--[[
  role_copy - write the copy of the role of an account that its answers show

  KEYS[1]  user:{s}:u  HASH
  ARGV[1]  role        user = none

  Returns  1, or 0 when there is no such account, or it is deleted: then nothing is changed
  Holds    an account without a role has no field for it
]]
local user, role = KEYS[1], ARGV[1]

local state = redis.call('HGET', user, 'state')
if state ~= 'active' and state ~= 'suspended' then
  return 0
end
if role == 'user' then
  redis.call('HDEL', user, 'role')
else
  redis.call('HSET', user, 'role', role)
end
return 1
