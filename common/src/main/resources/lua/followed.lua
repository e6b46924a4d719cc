#!lua flags=no-writes
--[[
  followed - whom an account follows, and of whom of them it wants no reposts, at one instant

  KEYS[1]  following  ZSET  account id by edge id
  KEYS[2]  noreposts  ZSET  account id by edge id

  Returns  {followed accounts, those whose reposts are not wanted}
]]
return {redis.call('ZRANGE', KEYS[1], 0, -1), redis.call('ZRANGE', KEYS[2], 0, -1)}
