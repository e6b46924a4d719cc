#!lua flags=allow-oom
--[[
  mend_scheduled - give something that is scheduled its job again; what has no words cannot be published and is forgotten

  KEYS[1]  scheduled  ZSET  of the author, see schedule.lua
  KEYS[2]  words      HASH  of the author
  KEYS[3]  timers     ZSET  of the shard
  ARGV[1]  author
  ARGV[2]  id

  Returns  1; 0 when there is none
  Holds    a job that runs twice publishes once
]]
--#include enqueue
--#include timers
local scheduled, words, timers = unpack(KEYS)
local author, id = ARGV[1], ARGV[2]

local due = redis.call('ZSCORE', scheduled, id)
if not due then
  return 0
end
if redis.call('HEXISTS', words, id) == 1 then
  redis.call('ZADD', timers, due, publish_job(author, id, due))
else
  redis.call('ZREM', scheduled, id)
end
return 1
