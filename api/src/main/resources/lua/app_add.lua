#!lua
--[[
  app_add - keep an app that has registered itself, for a while

  KEYS[1]    app:<client>  HASH
  ARGV[1]    life    seconds; until then somebody must have logged in with it
  ARGV[2..]  fields and values

  Returns  1
  Holds    no app is without an end that nobody has used
]]
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1
