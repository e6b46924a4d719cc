#!lua flags=allow-oom
--[[
  home_clean - take the posts of authors out of the home of somebody who has unfollowed them

  KEYS[1]   home       LIST  see lib/home_head.lua
  KEYS[2]   following  ZSET  of the reader: account id by edge id
  ARGV[1]   max              ids kept in a home
  ARGV[2]   count            of the authors
  ARGV[3..] authors
  ARGV[..]  ids              of their posts

  Returns  1 when cleaned, 0 when there is no home, -1 when the reader follows one of the authors (again)
  Holds    floor, mark and time to live stay; only saves space, since reads filter
]]
--#include home_head
--#include home_rewrite
local home, following, max, count = KEYS[1], KEYS[2], tonumber(ARGV[1]), tonumber(ARGV[2])

local floor, token = home_head(home)
if not floor then
  return 0
end
for i = 3, 2 + count do
  if redis.call('ZSCORE', following, ARGV[i]) then
    return -1
  end
end
local unwanted, left, ids = {}, {}, home_ids(home)
for i = 3 + count, #ARGV do
  unwanted[tonumber(ARGV[i])] = true
end
for _, id in ipairs(ids) do
  if not unwanted[id] then
    left[#left + 1] = id
  end
end
if #left < #ids then
  home_rewrite(home, left, floor, token, max)
end
return 1
