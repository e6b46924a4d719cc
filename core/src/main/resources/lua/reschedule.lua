#!lua flags=allow-oom
--[[
  reschedule - have something that is scheduled published at another time

  KEYS[1]  scheduled  ZSET  of the author, see schedule.lua
  KEYS[2]  words      HASH  of the author
  KEYS[3]  timers     ZSET  of the shard
  ARGV[1]  now              ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  author
  ARGV[3]  id
  ARGV[4]  due              ms at which it is to be published
  ARGV[5]  ahead            ms that due is ahead at least
  ARGV[6]  day_max          that may be scheduled for one day
  ARGV[7]  day              ms at which the day of due begins

  Returns  {'scheduled', its words}; {'absent'} when there is none; {'soon'} when due is too near, and {'day'} at the limit
  Holds    it has one job, which is for the time at which it is scheduled; one that was started for another time does nothing
]]
--#include now
--#include enqueue
--#include timers
local scheduled, words, timers = unpack(KEYS)
local now, author, id, due, day = now_ms(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[7])

local before, json = redis.call('ZSCORE', scheduled, id), redis.call('HGET', words, id)
if not before or not json then
  return { 'absent' }
end
if tonumber(due) < now + tonumber(ARGV[5]) then
  return { 'soon' }
end
local is_of_day = tonumber(before) >= day and tonumber(before) < day + 86400000
if not is_of_day and on_day(scheduled, ARGV[7]) >= tonumber(ARGV[6]) then
  return { 'day' }
end
redis.call('ZADD', scheduled, due, id)
redis.call('ZREM', timers, publish_job(author, id, before))
redis.call('ZADD', timers, due, publish_job(author, id, due))
return { 'scheduled', json }
