#!lua
--[[
  update_account - change what a user says of an account

  KEYS[1]  user:{s}:u  HASH
  KEYS[2]  media_due   ZSET  of the shard
  ARGV     names and values of fields in turn; an empty value takes the field out, since it is the ordinary one

  Returns  1, or 0 when there is no such active account: then nothing is changed
  Holds    rev goes up with every change, in the same step; the file of a picture is either named by the account or in media_due
]]
local user = KEYS[1]

if redis.call('HGET', user, 'state') ~= 'active' then
  return 0
end
for i = 1, #ARGV, 2 do
  if ARGV[i] == 'avatar' or ARGV[i] == 'header' then
    local former = redis.call('HGET', user, ARGV[i])
    redis.call('ZREM', KEYS[2], ARGV[i + 1])
    if former and former ~= ARGV[i + 1] then
      redis.call('ZADD', KEYS[2], 0, former)
    end
  end
  if ARGV[i + 1] == '' then
    redis.call('HDEL', user, ARGV[i])
  else
    redis.call('HSET', user, ARGV[i], ARGV[i + 1])
  end
end
redis.call('HINCRBY', user, 'rev', 1)
return 1
