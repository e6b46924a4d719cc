#!lua flags=allow-oom
--[[
  tag_unuse - count a status under a tag no more

  KEYS[1]  tag_day  HASH  of the tag and of the day on which the status was posted, see tag_use.lua
  ARGV[1]  status

  Returns  how many accounts have used the tag on that day
  Holds    as tag_use
]]
local day, status = KEYS[1], 's' .. ARGV[1]

local author = redis.call('HGET', day, status)
if author then
  redis.call('HDEL', day, status)
  if redis.call('HINCRBY', day, 'a' .. author, -1) <= 0 then
    redis.call('HDEL', day, 'a' .. author)
    redis.call('HINCRBY', day, 'accounts', -1)
  end
  if redis.call('HINCRBY', day, 'uses', -1) <= 0 then
    redis.call('DEL', day)
  end
end
return tonumber(redis.call('HGET', day, 'accounts') or '0')
