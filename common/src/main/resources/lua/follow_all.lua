#!lua
--[[
  follow_all - the follower's side of many follows at once, without jobs: for replays

  KEYS[1]   user       HASH    of the follower
  KEYS[2]   following  ZSET    of the follower: account id by edge id
  KEYS[3]   ids        STRING  last id of the shard
  ARGV[1]   now                ms, empty = the server's clock
  ARGV[2]   shard              of the follower
  ARGV[3..] followees

  Returns  the edge of each followee, old or new, in order
  Holds    counter = size of the set; the version goes up with every change of the set
]]
--#include now
--#include bump
--#include next_id
local user, following, ids = KEYS[1], KEYS[2], KEYS[3]
local now, shard = now_ms(ARGV[1]), tonumber(ARGV[2])

local edges = {}
for i = 3, #ARGV do
  local edge = redis.call('ZSCORE', following, ARGV[i])
  if not edge then
    edge = next_id(ids, shard, now)
    redis.call('ZADD', following, edge, ARGV[i])
  end
  edges[#edges + 1] = edge
end
redis.call('HSET', user, 'following', redis.call('ZCARD', following))
bump(user, now)
return edges
