#!lua flags=allow-oom
--[[
  set_markers - remember how far timelines have been read

  KEYS[1]  markers  HASH  timeline to '<id> <version> <ms>'
  ARGV[1]  now            ms, empty = the server's clock
  ARGV[2..]               timeline and the id of the newest entry that was read, for each

  Returns  '<id> <version> <ms>' of each, in the same order
  Holds    version goes up by one each time
]]
--#include now
local markers, now = KEYS[1], string.format('%.0f', now_ms(ARGV[1]))

local set = {}
for i = 2, #ARGV, 2 do
  local before = redis.call('HGET', markers, ARGV[i])
  local version = before and tonumber(string.match(before, '^%d+ (%d+) ')) or 0
  local marker = ARGV[i + 1] .. ' ' .. string.format('%.0f', version + 1) .. ' ' .. now
  redis.call('HSET', markers, ARGV[i], marker)
  set[#set + 1] = marker
end
return set
