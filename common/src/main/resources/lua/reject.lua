#!lua flags=allow-oom
--[[
  reject - erase the account of somebody who has applied

  KEYS[1]  user    HASH
  KEYS[2]  tokens  HASH

  Returns  1; 0 when the account does not wait for approval, -1 when there is none: then nothing is changed
  Holds    nothing of an account that was approved is erased
]]
local user, tokens = KEYS[1], KEYS[2]

local state = redis.call('HGET', user, 'state')
if state ~= 'applied' then
  return state and 0 or -1
end
redis.call('DEL', user, tokens)
return 1
