#!lua flags=no-writes
--[[
  lists_exclusive - whom the exclusive lists of an account take out of its home

  KEYS[1]  lists   HASH  of the owner: list id to '<replies> <exclusive> <title>'
  KEYS[2]  listed  ZSET  of the owner: see lib/listed.lua

  Returns  the accounts, with zeros before each
]]
--#include listed
--#include left_out
return left_out(KEYS[1], KEYS[2])
