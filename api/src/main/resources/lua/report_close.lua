#!lua flags=allow-oom
--[[
  report_close - forget a report

  KEYS[1]  {reports}:kept       ZSET  report without its id, by its id
  KEYS[2]  {reports}:reporters  HASH  account to how many of its reports are kept
  KEYS[3]  {reports}:own        ZSET  id of a report by its account, see lib/reports.lua
  KEYS[4]  {reports}:counts     ZSET  account by how many of its reports are in own
  ARGV[1]  id
  ARGV[2]  reporter             of this report

  Returns  1, or 0 when there is none of that id
  Holds    the counts are those of the kept reports
]]
--#include reports
local kept, reporters, own, counts = unpack(KEYS)

if redis.call('ZREMRANGEBYSCORE', kept, ARGV[1], ARGV[1]) == 0 then
  return 0
end
if redis.call('HINCRBY', reporters, ARGV[2], -1) <= 0 then
  redis.call('HDEL', reporters, ARGV[2])
end
unindex_report(own, counts, ARGV[2], ARGV[1])
return 1
