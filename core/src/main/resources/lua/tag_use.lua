#!lua
--[[
  tag_use - count a public status under one of its tags

  KEYS[1]  tag_day  HASH  of the tag and of the day on which the status was posted: 'uses', 'accounts', 's<status>' to author, 'a<author>' to how many of these are of the author
  ARGV[1]  status
  ARGV[2]  author
  ARGV[3]  max      statuses that are counted of a tag and a day
  ARGV[4]  ttl      seconds

  Returns  how many accounts have used the tag on that day
  Holds    a status counts once, uses = number of 's' fields, accounts = number of 'a' fields; further statuses than max do not count
]]
local day, status, author = KEYS[1], 's' .. ARGV[1], 'a' .. ARGV[2]
local max, ttl = tonumber(ARGV[3]), ARGV[4]

if tonumber(redis.call('HGET', day, 'uses') or '0') < max and redis.call('HSETNX', day, status, ARGV[2]) == 1 then
  redis.call('HINCRBY', day, 'uses', 1)
  if redis.call('HINCRBY', day, author, 1) == 1 then
    redis.call('HINCRBY', day, 'accounts', 1)
  end
  redis.call('EXPIRE', day, ttl)
end
return tonumber(redis.call('HGET', day, 'accounts') or '0')
