#!lua
--[[
  home_backfill - merge an author's posts into the home of a new follower

  KEYS[1]   home       LIST  see lib/home_rewrite.lua
  KEYS[2]   following  ZSET  of the reader: account id by edge id
  ARGV[1]   author
  ARGV[2]   edge             the follow that this belongs to
  ARGV[3]   bound            the ids are complete above it
  ARGV[4]   max              ids kept in a home
  ARGV[5..] ids

  Returns  1 when merged, 0 when there is no home or the reader no longer follows by this edge
  Holds    never makes a home; the mark stays; the home is complete above its floor for this author too
]]
--#include home_rewrite
local home, following = KEYS[1], KEYS[2]
local author, edge, bound, max = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])

local floor, token = home_head(home)
if not floor or redis.call('ZSCORE', following, author) ~= edge then
  return 0
end
local ids = home_ids(home)
for i = 5, #ARGV do
  ids[#ids + 1] = tonumber(ARGV[i])
end
home_rewrite(home, ids, math.max(floor, bound), token, max)
return 1
