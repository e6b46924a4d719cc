#!lua flags=allow-oom
--[[
  unlink - the far side of the end of an edge, see link.lua

  KEYS[1]  subject        HASH  account or status
  KEYS[2]  set            ZSET  of the subject: member by edge id
  KEYS[3]  ended          ZSET  of the subject: member by the edge that has ended
  KEYS[4]  notifications  ZSET  of the subject's owner: notification by its id
  ARGV[1]  now                  ms, empty = the server's clock
  ARGV[2]  counter              field of the subject that counts the set, empty = none
  ARGV[3]  notification         to take back with it, empty = none
  ARGV[4]  memory               ms after its beginning for which the end of an edge is remembered
  ARGV[5]  keep                 ends remembered at most
  ARGV[6]  member
  ARGV[7]  edge                 taken back only if it is still this one

  Returns  1 when it was taken back; -2 when the subject is not in Redis: it may be archived
  Holds    counter = size of the set; an edge that has ended here is not linked again, see link.lua. That is remembered of young edges only: a link comes late by seconds or minutes
           from a process that stood still, and its edge is as old as that. What is remembered goes with the next end, or all of it with the key's time to live
]]
--#include now
local subject, set, ended, notifications = unpack(KEYS)
local now, counter, notification, memory, keep = now_ms(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local member, edge = ARGV[6], ARGV[7]

local forgotten = (now - memory - 1704067200000) * 4096 -- As an id: see Id.java.
if tonumber(edge) > forgotten then
  redis.call('ZADD', ended, 'GT', edge, member)
  redis.call('ZREMRANGEBYSCORE', ended, '-inf', string.format('%.0f', forgotten))
  redis.call('ZREMRANGEBYRANK', ended, 0, -keep - 1)
  redis.call('PEXPIRE', ended, memory)
end

if redis.call('ZSCORE', set, member) ~= edge then
  return 0
end
if redis.call('EXISTS', subject) == 0 then
  return -2
end
redis.call('ZREM', set, member)
if counter ~= '' then
  redis.call('HSET', subject, counter, redis.call('ZCARD', set))
end
if notification ~= '' then
  redis.call('ZREM', notifications, notification)
end
return 1
