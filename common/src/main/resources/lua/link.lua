#!lua
--[[
  link - the followee's side of follows

  KEYS[1]   user       HASH  of the followee
  KEYS[2]   followers  ZSET  of the followee: account id by edge id
  ARGV[1..] follower, edge, follower, edge, ...

  Returns  size of the set
  Holds    counter = size of the set; of two edges between the same accounts the later one stays
]]
local user, followers = KEYS[1], KEYS[2]

for i = 1, #ARGV, 2 do
  redis.call('ZADD', followers, 'GT', ARGV[i + 1], ARGV[i])
end
local size = redis.call('ZCARD', followers)
redis.call('HSET', user, 'followers', size)
return size
