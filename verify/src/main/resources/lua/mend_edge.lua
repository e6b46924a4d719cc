#!lua flags=allow-oom
--[[
  mend_edge - clear the way for an edge that its near side confirms: what the far side remembers of its end, or lists in its place

  KEYS[1]  set    ZSET  of the subject: member by edge id
  KEYS[2]  ended  ZSET  of the subject: member by the edge that has ended
  ARGV[1]  member
  ARGV[2]  edge         that the near side confirms
  ARGV[3]  seen         edge that the far side listed, '0' = none

  Returns  1, or 0 when the far side lists another edge by now
  Holds    compares before it removes. Edges of a near side rise, so that a later edge on the far side is one that the near side has lost
]]
local set, ended = KEYS[1], KEYS[2]
local member, edge, seen = ARGV[1], ARGV[2], ARGV[3]

local far = redis.call('ZSCORE', set, member)
if (far or '0') ~= seen then
  return 0
end
if far and tonumber(far) > tonumber(edge) then
  redis.call('ZREM', set, member)
end
local last = redis.call('ZSCORE', ended, member)
if last and tonumber(last) >= tonumber(edge) then
  redis.call('ZREM', ended, member)
end
return 1
