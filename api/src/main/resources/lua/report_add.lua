#!lua
--[[
  report_add - keep a report for the operator; a full list loses the oldest report by an account with most

  KEYS[1]  {reports}:kept       ZSET    report without its id, by its id
  KEYS[2]  {reports}:reporters  HASH    account to how many of its reports are kept
  KEYS[3]  {reports}:last       STRING  last id
  KEYS[4]  {reports}:own        ZSET    id of a report by its account, see lib/reports.lua
  KEYS[5]  {reports}:counts     ZSET    account by how many of its reports are in own
  KEYS[6]  {reports}:states     HASH    id to how a report is handled, see report_change.lua
  ARGV[1]  reporter
  ARGV[2]  max_each             reports kept of one account
  ARGV[3]  max                  reports kept
  ARGV[4]  report

  Returns  {'new', id}, also of the same report that is kept already; {'many'} when the account has as many as it may; {'full'} when there are as many as there may be and no account has twice as many as this one would have
  Holds    the counts are those of the kept reports; a report of an account without any is always kept; no report but this one is read, unless an older version has written some since the indexes were made: then a full list has them made anew
]]
--#include reports
local kept, reporters, last, own, counts, states = unpack(KEYS)
local reporter, max_each, max, report = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]

local function index_all()
  redis.call('DEL', own, counts)
  for from = 0, redis.call('ZCARD', kept) - 1, 100 do
    local some = redis.call('ZRANGE', kept, from, from + 99, 'WITHSCORES')
    for i = 1, #some, 2 do
      index_report(own, counts, string.match(some[i], '"by":(%d+)') or '0', some[i + 1])
    end
  end
end

-- An account with most, how many it has, and the id of its oldest report.
local function most()
  local account, count = unpack(redis.call('ZRANGE', counts, -1, -1, 'WITHSCORES'))
  return account, tonumber(count), redis.call('ZRANGE', own, account, account, 'BYSCORE', 'LIMIT', 0, 1)[1]
end

-- The same, and of those with equally many the one with the oldest report is not looked for: but where each has one,
-- the oldest of all is.
local function oldest_by_one_with_most()
  local account, count, id = most()
  if count == 1 then
    local line, first = unpack(redis.call('ZRANGE', kept, 0, 0, 'WITHSCORES'))
    return string.match(line, '"by":(%d+)') or '0', 1, first
  end
  return account, count, id
end

local mine = tonumber(redis.call('HGET', reporters, reporter) or '0')
if mine >= max_each then
  return { 'many' }
end
local id = redis.call('ZSCORE', kept, report)
if id then
  return { 'new', id }
end
if redis.call('ZCARD', kept) >= max then
  if redis.call('ZCARD', own) ~= redis.call('ZCARD', kept) then
    index_all()
  end
  local account, count, oldest = oldest_by_one_with_most()
  if mine > 0 and count < 2 * (mine + 1) then
    return { 'full' }
  end
  if redis.call('ZREMRANGEBYSCORE', kept, oldest, oldest) == 0 then
    -- An older version has closed it and kept another one.
    index_all()
    local again = { oldest_by_one_with_most() }
    account, oldest = again[1], again[3]
    redis.call('ZREMRANGEBYSCORE', kept, oldest, oldest)
  end
  redis.call('HDEL', states, oldest)
  unindex_report(own, counts, account, oldest)
  if redis.call('HINCRBY', reporters, account, -1) <= 0 then
    redis.call('HDEL', reporters, account)
  end
end
-- Cursors of lists begin above 1 (PageRequest.BOTTOM), so no report has that id.
if redis.call('EXISTS', last) == 0 then
  redis.call('SET', last, '1')
end
id = redis.call('INCR', last)
redis.call('ZADD', kept, id, report)
redis.call('HINCRBY', reporters, reporter, 1)
index_report(own, counts, reporter, id)
return { 'new', id }
