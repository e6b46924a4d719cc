#!lua flags=allow-oom
--[[
  home_take_out - take one id out of homes of one shard

  KEYS[1..] home  LIST  see lib/home_head.lua
  ARGV[1]  id

  Returns  places of the homes that are no list, from 1
  Holds    the head stays, and with it an empty home; only saves space, since reads filter. A home that is no list keeps no other from being cleaned
]]
--#include home_head
--#include home_rewrite
local broken = {}
for place, home in ipairs(KEYS) do
  local done, failure = pcall(home_take_out, home, ARGV[1])
  if not done then
    local reason = type(failure) == 'table' and failure.err or tostring(failure)
    if not reason:find('WRONGTYPE', 1, true) then
      error(failure)
    end
    broken[#broken + 1] = place
  end
end
return broken
