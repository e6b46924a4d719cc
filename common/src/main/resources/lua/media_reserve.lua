#!lua
--[[
  media_reserve - note a picture for a profile, before its file is there

  KEYS[1]  media_due  ZSET  of the shard
  ARGV[1]  now              ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  name             of the file
  ARGV[3]  life             ms until it is deleted unless the account has it

  Returns  1
]]
--#include now
redis.call('ZADD', KEYS[1], string.format('%.0f', now_ms(ARGV[1]) + tonumber(ARGV[3])), ARGV[2])
return 1
