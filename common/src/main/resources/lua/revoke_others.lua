#!lua flags=allow-oom
--[[
  revoke_others - take every access token out of a list but one

  KEYS[1]  tokens:{s}:u  HASH
  ARGV[1]  token id that stays

  Returns  how many were taken out
  Holds    a token that was issued before is refused afterwards, whenever that was
]]
local list, kept = KEYS[1], ARGV[1]

local listed = redis.call('HGET', list, kept)
local all = redis.call('HLEN', list)
redis.call('DEL', list)
if not listed then
  return all
end
redis.call('HSET', list, kept, listed)
return all - 1
