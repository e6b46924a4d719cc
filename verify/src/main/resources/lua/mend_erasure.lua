#!lua flags=allow-oom
--[[
  mend_erasure - give the erasure of a deleted account a job again

  KEYS[1]  user    HASH
  KEYS[2]  timers  ZSET  of the shard
  ARGV[1]  now           ms, empty = the server's clock
  ARGV[2]  account
  ARGV[3]  after         ms until the job is started

  Returns  1; 0 when the account is not being erased: then nothing is changed
  Holds    a job that runs twice erases once
]]
--#include now
--#include enqueue
--#include timers
local user, timers = unpack(KEYS)

local state, erasing = unpack(redis.call('HMGET', user, 'state', 'erasing'))
if state ~= 'deleted' or not erasing then
  return 0
end
redis.call('ZADD', timers, 'NX', string.format('%.0f', now_ms(ARGV[1]) + tonumber(ARGV[3])), erasure_job(ARGV[2]))
return 1
