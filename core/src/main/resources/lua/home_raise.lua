#!lua flags=allow-oom
--[[
  home_raise - tell a home that it lacks posts up to an id

  KEYS[1]  home   LIST  see lib/home_head.lua
  ARGV[1]  bound        what is pushed after this is complete above it

  Returns  nothing
  Holds    the floor only rises; mark, count and time to live stay
]]
--#include home_head
--#include home_rewrite
local home, bound = KEYS[1], tonumber(ARGV[1])

local floor, token, count, generation, pulled = home_head(home)
if floor and floor < bound then
  redis.call('LSET', home, '0', home_spell(bound, token, count, generation, pulled))
end
