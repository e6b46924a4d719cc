#!lua
--[[
  app_drop - forget an app that nobody has logged in with

  KEYS[1]  app:<client>  HASH

  Returns  1 when it is forgotten, 0 when it has no end, because somebody has logged in with it, or is gone
]]
if redis.call('TTL', KEYS[1]) < 0 then
  return 0
end
return redis.call('DEL', KEYS[1])
