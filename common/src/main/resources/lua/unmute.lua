#!lua flags=allow-oom
--[[
  unmute - the end of a mute

  KEYS[1]  mutes  ZSET  of who mutes: account id by edge id
  KEYS[2]  heard  ZSET  of who mutes: account id by edge id
  ARGV[1]  muted

  Returns  1 when it was muted
  Holds    heard is a part of mutes
]]
redis.call('ZREM', KEYS[2], ARGV[1])
return redis.call('ZREM', KEYS[1], ARGV[1])
