#!lua
--[[
  link - the followee's side of follows

  KEYS[1]   user       HASH  of the followee
  KEYS[2]   followers  ZSET  of the followee: account id by edge id
  KEYS[3]   unlinked   ZSET  of the followee: account id by the edge that has ended
  ARGV[1..] follower, edge, follower, edge, ...

  Returns  size of the set
  Holds    counter = size of the set; of two edges between the same accounts the later one stays; an edge that unlink.lua has ended does not
           come back, however late a process that stood still links it
]]
local user, followers, unlinked = KEYS[1], KEYS[2], KEYS[3]

for i = 1, #ARGV, 2 do
  local ended = redis.call('ZSCORE', unlinked, ARGV[i])
  if not ended or tonumber(ARGV[i + 1]) > tonumber(ended) then
    redis.call('ZADD', followers, 'GT', ARGV[i + 1], ARGV[i])
  end
end
local size = redis.call('ZCARD', followers)
redis.call('HSET', user, 'followers', size)
return size
