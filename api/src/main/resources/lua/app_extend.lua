#!lua
--[[
  app_extend - an app that nobody has logged in with yet has got a token of its own

  KEYS[1]  app:<client>  HASH
  ARGV[1]  life    seconds, from now on

  Returns  1, or 0 for an app that has no end, or that is gone
]]
if redis.call('TTL', KEYS[1]) < 0 then
  return 0
end
return redis.call('EXPIRE', KEYS[1], ARGV[1])
