#!lua flags=allow-oom
--[[
  revoke_others - end all tokens of a user but one

  KEYS[1]  tokens:{s}:u  HASH
  ARGV[1]  id of the token that asks for it, which stays

  Returns  how many have ended, or -1 when that token is not listed any more: then nothing is changed
  Holds    in one step: no other token that was issued before is good afterwards
]]
local list, kept = KEYS[1], ARGV[1]

local listed = redis.call('HGET', list, kept)
if not listed then
  return -1
end
local ended = redis.call('HLEN', list) - 1
redis.call('DEL', list)
redis.call('HSET', list, kept, listed)
return ended
