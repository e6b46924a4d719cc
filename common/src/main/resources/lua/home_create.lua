#!lua
--[[
  home_create - start to build the home of a reader who has none

  KEYS[1]  home   LIST    see lib/home_rewrite.lua
  KEYS[2]  built  STRING  how many homes of the shard were ever built
  ARGV[1]  token        unique mark of this rebuild, [a-z0-9]+
  ARGV[2]  ttl          seconds

  Returns  the token to merge with: this one, or that of a rebuild under way; nil when the home is complete
  Holds    a home that exists is not touched
]]
--#include home_rewrite
local home, built, new_token, ttl = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])

local floor, token = home_head(home)
if not floor then
  redis.call('RPUSH', home, home_spell(0, new_token, 0))
  redis.call('EXPIRE', home, ttl)
  redis.call('INCR', built)
  return new_token
end
if token == '' then
  return false
end
return token
