#!lua flags=allow-oom
--[[
  unlink - the followee's side of the end of an edge

  KEYS[1]  user       HASH  of the followee
  KEYS[2]  followers  ZSET  of the followee: account id by edge id
  ARGV[1]  follower
  ARGV[2]  edge             taken back only if it is still this one

  Returns  1 when it was taken back
  Holds    counter = size of the set
]]
local user, followers, follower, edge = KEYS[1], KEYS[2], ARGV[1], ARGV[2]

if redis.call('ZSCORE', followers, follower) ~= edge then
  return 0
end
redis.call('ZREM', followers, follower)
redis.call('HSET', user, 'followers', redis.call('ZCARD', followers))
return 1
