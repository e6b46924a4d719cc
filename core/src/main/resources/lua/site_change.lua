#!lua
--[[
  site_change - change what operators publish, unless somebody else has changed it since it was read

  KEYS[1]  {site}:published  HASH  field to value; '-' to the version
  ARGV[1]  known             version that was read, 0 = there was none
  ARGV[2]  count             number of fields to remove
  ARGV[3..]                  these fields, then field and value of each to set

  Returns  the new version; 0 when it is not the known one any more
  Holds    each change has a version of its own, one above that before
]]
local site, known, count = KEYS[1], ARGV[1], tonumber(ARGV[2])

if (redis.call('HGET', site, '-') or '0') ~= known then
  return 0
end
for i = 3, 2 + count do
  redis.call('HDEL', site, ARGV[i])
end
for i = 3 + count, #ARGV, 2 do
  redis.call('HSET', site, ARGV[i], ARGV[i + 1])
end
return redis.call('HINCRBY', site, '-', 1)
