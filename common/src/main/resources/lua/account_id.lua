#!lua
--[[
  account_id - draw the id of a new account

  KEYS[1]  ids    STRING  last id of the shard
  ARGV[1]  now            ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard

  Returns  the id
  Holds    no id is given out twice
]]
--#include now
--#include next_id
return next_id(KEYS[1], tonumber(ARGV[2]), now_ms(ARGV[1]))
