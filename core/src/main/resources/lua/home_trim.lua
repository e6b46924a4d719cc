#!lua flags=allow-oom
--[[
  home_trim - cut a home that deliveries have let grow over its limit

  KEYS[1]  home   LIST  see lib/home_head.lua
  ARGV[1]  max          ids kept in a home
  ARGV[2]  slack        how far it may grow over max

  Returns  how many repeats were left out; those that go as the lowest are not counted
  Holds    the home stays complete above its floor, and holds about three quarters of max ids at least; mark and time to live
           stay
]]
--#include home_head
--#include home_rewrite
--#include id_before
--#include home_trim
return home_trim(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]))
