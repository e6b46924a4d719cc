#!lua flags=allow-oom
--[[
  unlink - the followee's side of the end of an edge

  KEYS[1]  user       HASH  of the followee
  KEYS[2]  followers  ZSET  of the followee: account id by edge id
  KEYS[3]  unlinked   ZSET  of the followee: account id by the edge that has ended
  ARGV[1]  now              ms, empty = the server's clock
  ARGV[2]  follower
  ARGV[3]  edge             taken back only if it is still this one
  ARGV[4]  memory           ms after its beginning for which the end of an edge is remembered
  ARGV[5]  keep             ends remembered at most

  Returns  1 when it was taken back
  Holds    counter = size of the set; an edge that has ended here is not linked again, see link.lua. That is remembered of young edges only: a link comes late by seconds or minutes
           from a process that stood still, and its edge is as old as that. What is remembered goes with the next end, or all of it with the key's time to live
]]
--#include now
local user, followers, unlinked = KEYS[1], KEYS[2], KEYS[3]
local now, follower, edge, memory, keep = now_ms(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])

local forgotten = (now - memory - 1704067200000) * 4096 -- As an id: see Id.java.
if tonumber(edge) > forgotten then
  redis.call('ZADD', unlinked, 'GT', edge, follower)
  redis.call('ZREMRANGEBYSCORE', unlinked, '-inf', string.format('%.0f', forgotten))
  redis.call('ZREMRANGEBYRANK', unlinked, 0, -keep - 1)
  redis.call('PEXPIRE', unlinked, memory)
end

if redis.call('ZSCORE', followers, follower) ~= edge then
  return 0
end
redis.call('ZREM', followers, follower)
redis.call('HSET', user, 'followers', redis.call('ZCARD', followers))
return 1
