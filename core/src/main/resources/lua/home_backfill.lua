#!lua
--[[
  home_backfill - merge the posts of authors into the home of their new follower

  KEYS[1]   home       LIST  see lib/home_head.lua
  KEYS[2]   following  ZSET  of the reader: account id by edge id
  ARGV[1]   bound            the ids are complete above it
  ARGV[2]   max              ids kept in a home
  ARGV[3]   count            of the authors
  ARGV[4..] author, edge     the follow that this belongs to; count times
  ARGV[..]  ids

  Returns  1 when merged, 0 when there is no home, -1 when the reader no longer follows one of the authors by this edge
  Holds    never makes a home; the mark stays; the home is complete above its floor for these authors too
]]
--#include home_head
--#include home_rewrite
local home, following = KEYS[1], KEYS[2]
local bound, max, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

local floor, token = home_head(home)
if not floor then
  return 0
end
for i = 4, 2 + 2 * count, 2 do
  if redis.call('ZSCORE', following, ARGV[i]) ~= ARGV[i + 1] then
    return -1
  end
end
local ids, held = home_ids(home), {}
for _, id in ipairs(ids) do
  held[id] = true
end
local already = #ids
for i = 4 + 2 * count, #ARGV do
  local id = tonumber(ARGV[i])
  if id > floor and not held[id] then
    ids[#ids + 1] = id
  end
end
-- The repair job of a follow comes after the API has done this.
if #ids > already or bound > floor then
  home_rewrite(home, ids, math.max(floor, bound), token, max)
end
return 1
