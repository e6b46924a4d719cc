#!lua flags=allow-oom
--[[
  unmute - the end of a mute

  KEYS[1]  mutes  ZSET  of who mutes: account id by edge id
  KEYS[2]  heard  ZSET  of who mutes: account id by edge id
  ARGV[1]  muted

  Returns  the edge that has ended; nil when there was none
  Holds    heard is a part of mutes
]]
local edge = redis.call('ZSCORE', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[1], ARGV[1])
return edge
