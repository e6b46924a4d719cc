#!lua flags=allow-oom
--[[
  dead_drop - let go of dead letters, the longest dead first

  KEYS[1]  queue:{s}:dead   ZSET  dead letter by time of death, epoch ms
  KEYS[2]  queue:{s}:stats  HASH  counters of the shard
  ARGV[1]  max              letters to let go of

  Returns  how many were let go of
  Holds    enqueued = done + waiting + in flight + delayed + dead + dropped
]]
--#include queue
local dropped = redis.call('ZREMRANGEBYRANK', KEYS[1], 0, tonumber(ARGV[1]) - 1)
count(KEYS[2], 'dropped', dropped)
return dropped
