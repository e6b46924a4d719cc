#!lua
--[[
  report_add - keep a report for the operator

  KEYS[1]  {reports}:kept       ZSET    report without its id, by its id
  KEYS[2]  {reports}:reporters  HASH    account to how many of its reports are kept
  KEYS[3]  {reports}:last       STRING  last id
  ARGV[1]  reporter
  ARGV[2]  max_each             reports kept of one account
  ARGV[3]  max                  reports kept
  ARGV[4]  report

  Returns  {'new', id}, also of the same report that is kept already; {'many'} when the account has as many as it may; {'full'} when there are as many as there may be
  Holds    the counts are those of the kept reports
]]
local kept, reporters, last = unpack(KEYS)
local reporter, max_each, max, report = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]

if tonumber(redis.call('HGET', reporters, reporter) or '0') >= max_each then
  return {'many'}
end
if redis.call('ZCARD', kept) >= max then
  return {'full'}
end
local id = redis.call('ZSCORE', kept, report)
if id then
  return {'new', id}
end
id = redis.call('INCR', last)
redis.call('ZADD', kept, id, report)
redis.call('HINCRBY', reporters, reporter, 1)
return {'new', id}
