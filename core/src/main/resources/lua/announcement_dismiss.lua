#!lua flags=allow-oom
--[[
  announcement_dismiss - an account does not want to see an announcement again

  KEYS[1]  dismissed  ZSET  announcement by its id
  ARGV[1]  id
  ARGV[2]  max              dismissals that are kept: those of the highest ids

  Returns  1; 0 when it was dismissed before
  Holds    at most max members
]]
local dismissed, id, max = KEYS[1], ARGV[1], tonumber(ARGV[2])

local new = redis.call('ZADD', dismissed, id, id)
redis.call('ZREMRANGEBYRANK', dismissed, 0, -max - 1)
return new
