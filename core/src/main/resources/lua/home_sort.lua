#!lua
--[[
  home_sort - sort what has been pushed onto a complete home, so that reading its newest entries is short again

  KEYS[1]  home  LIST  see lib/home_head.lua
  ARGV[1]  most        unsorted entries that are left alone

  Returns  how many repeats were left out, 0 also when there was no need or no complete home
  Holds    the home stays complete above its floor; floor and time to live stay
]]
--#include home_head
--#include home_rewrite
--#include id_before
--#include home_order
local home, most = KEYS[1], tonumber(ARGV[1])

local floor, token, count, generation, pulled = home_head(home)
if not floor or token ~= '' or redis.call('LLEN', home) - 1 - count <= most then
  return 0
end
local repeats
count, repeats = home_order(home, floor, count)
redis.call('LSET', home, '0', home_spell(floor, token, count, generation, pulled))
return repeats
