#!lua flags=no-writes
--[[
  followed - whom an account follows, of whom of them it wants no reposts or only some languages, and whom its exclusive lists take out of its home, at one instant

  KEYS[1]  following  ZSET  account id by edge id
  KEYS[2]  noreposts  ZSET  account id by edge id
  KEYS[3]  lists      HASH  see list_set.lua
  KEYS[4]  listed     ZSET  see lib/listed.lua
  KEYS[5]  languages  HASH  account id to '<edge> <codes>'

  Returns  {followed accounts, those whose reposts are not wanted, those of exclusive lists, what KEYS[5] has of follows that there are}
]]
--#include listed
--#include left_out
--#include spoken
return {
  redis.call('ZRANGE', KEYS[1], 0, -1),
  redis.call('ZRANGE', KEYS[2], 0, -1),
  left_out(KEYS[3], KEYS[4]),
  spoken(KEYS[5], KEYS[1]),
}
