#!lua
--[[
  home_merge - put what a rebuild has read into the home it has created

  KEYS[1]   home   LIST  see lib/home_head.lua
  ARGV[1]   token        what home_create answered
  ARGV[2]   bound        the ids are complete above it
  ARGV[3]   max          ids kept in a home
  ARGV[4..] ids

  Returns  1 when the home is complete by this, 0 when the ids were only added, -1 when there is no home
  Holds    floor and mark change only for the owner of the mark; with another mark or none, what has been shown stays
]]
--#include home_head
--#include home_rewrite
local home, own_token, bound, max = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local floor, token = home_head(home)
if not floor then
  return -1
end
local ids = home_ids(home)
for i = 4, #ARGV do
  ids[#ids + 1] = tonumber(ARGV[i])
end
if token == own_token then
  home_rewrite(home, ids, math.max(floor, bound), '', max)
  return 1
end
home_rewrite(home, ids, floor, token, max)
return 0
