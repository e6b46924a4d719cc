#!lua flags=allow-oom
--[[
  home_take_out - take one id out of a home

  KEYS[1]  home  LIST  see lib/home_rewrite.lua
  ARGV[1]  id

  Returns  nothing
  Holds    the head stays, and with it an empty home; only saves space, since reads filter
]]
--#include home_rewrite
home_take_out(KEYS[1], ARGV[1])
