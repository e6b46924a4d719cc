#!lua
--[[
  mail_take - count one mail of a minute, if there is room

  KEYS[1]  {mail}:minute  STRING  mails since a minute began
  ARGV[1]  max            mails in a minute
  ARGV[2]  minute         ms

  Returns  0, or about how many ms the minute still has when it is full: then nothing is counted
  Holds    a minute begins with the first mail after the one before has ended
]]
local key, max, minute = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])

local count = redis.call('GET', key)
if not count then
  redis.call('SET', key, 1, 'PX', minute)
  return 0
end
if tonumber(count) >= max then
  return math.max(1, redis.call('TTL', key)) * 1000
end
redis.call('INCR', key)
return 0
