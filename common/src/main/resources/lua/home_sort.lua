#!lua
--[[
  home_sort - sort what has been pushed onto a complete home, so that reading its newest entries is short again

  KEYS[1]  home  LIST  see lib/home_rewrite.lua
  ARGV[1]  max         ids kept in a home
  ARGV[2]  most        unsorted entries that are left alone

  Returns  1 when sorted, 0 when there was no need or no complete home
  Holds    the home stays complete above its floor; its time to live stays
]]
--#include home_rewrite
local home, max, most = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])

local floor, token, count = home_head(home)
if not floor or token ~= '' or redis.call('LLEN', home) - 1 - count <= most then
  return 0
end
home_rewrite(home, home_ids(home), floor, token, max)
return 1
