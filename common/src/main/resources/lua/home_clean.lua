#!lua flags=allow-oom
--[[
  home_clean - take an author's posts out of the home of somebody who has unfollowed

  KEYS[1]   home       LIST  see lib/home_rewrite.lua
  KEYS[2]   following  ZSET  of the reader: account id by edge id
  ARGV[1]   author
  ARGV[2]   max              ids kept in a home
  ARGV[3..] ids              of the author's posts

  Returns  1 when cleaned, 0 when there is no home or the reader follows the author (again)
  Holds    floor, mark and time to live stay; only saves space, since reads filter
]]
--#include home_rewrite
local home, following, author, max = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])

local floor, token = home_head(home)
if not floor or redis.call('ZSCORE', following, author) then
  return 0
end
local unwanted, left = {}, {}
for i = 3, #ARGV do
  unwanted[tonumber(ARGV[i])] = true
end
for _, id in ipairs(home_ids(home)) do
  if not unwanted[id] then
    left[#left + 1] = id
  end
end
home_rewrite(home, left, floor, token, max)
return 1
