#!lua
--[[
  home_pull - put what a read has pulled into the home

  KEYS[1]   home   LIST  see lib/home_head.lua
  ARGV[1]   now          ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]   from         up to which id the home held the posts of pulled authors, as the caller has read it; empty = none
  ARGV[3]   to           with these ids it holds them up to here
  ARGV[4]   bound        the ids are complete above it
  ARGV[5]   max          ids kept in a home
  ARGV[6]   slack        how far it may grow over max
  ARGV[7..] ids          ascending

  Returns  1 when added, 0 when there is no complete home, or another one that holds less
  Holds    the home stays complete above its floor, for pulled authors up to the id that its head tells; the mark stays.
           Twice the same, or two devices at once, add repeats at most
]]
--#include now
--#include home_head
--#include home_rewrite
--#include id_before
--#include home_trim
now_ms(ARGV[1])
local home, from, to, bound = KEYS[1], tonumber(ARGV[2]) or 0, tonumber(ARGV[3]), tonumber(ARGV[4])

local floor, token, count, generation, pulled = home_head(home)
if not floor or token ~= '' or (tonumber(pulled) or 0) < from then
  return 0
end
home_push(home, ARGV, 7)
local upto = string.format('%.0f', math.max(to, tonumber(pulled) or 0))
redis.call('LSET', home, '0', home_spell(math.max(floor, bound), token, count, generation, upto))
home_trim(home, tonumber(ARGV[5]), tonumber(ARGV[6]))
return 1
