#!lua
--[[
  report_add - keep a report for the operator; a full list loses the oldest report by an account with most

  KEYS[1]  {reports}:kept       ZSET    report without its id, by its id
  KEYS[2]  {reports}:reporters  HASH    account to how many of its reports are kept
  KEYS[3]  {reports}:last       STRING  last id
  ARGV[1]  reporter
  ARGV[2]  max_each             reports kept of one account
  ARGV[3]  max                  reports kept
  ARGV[4]  report

  Returns  {'new', id}, also of the same report that is kept already; {'many'} when the account has as many as it may; {'full'} when there are as many as there may be and no account has twice as many as this one would have
  Holds    the counts are those of the kept reports; a report of an account without any is always kept
]]
local kept, reporters, last = unpack(KEYS)
local reporter, max_each, max, report = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]

local function reporter_of(line)
  return string.match(line, '"by":(%d+)') or ''
end

-- The oldest by one of the accounts that have so many; the oldest of all when the counts name none.
local function oldest_by_one_with(most, counts)
  for from = 0, max, 100 do
    local some = redis.call('ZRANGE', kept, from, from + 99)
    for _, line in ipairs(some) do
      if counts[reporter_of(line)] == most then
        return line
      end
    end
  end
  return redis.call('ZRANGE', kept, 0, 0)[1]
end

local own = tonumber(redis.call('HGET', reporters, reporter) or '0')
if own >= max_each then
  return {'many'}
end
local id = redis.call('ZSCORE', kept, report)
if id then
  return {'new', id}
end
if redis.call('ZCARD', kept) >= max then
  local counts, most, flat = {}, 1, redis.call('HGETALL', reporters)
  for i = 1, #flat, 2 do
    local count = tonumber(flat[i + 1])
    counts[flat[i]] = count
    most = math.max(most, count)
  end
  if own > 0 and most < 2 * (own + 1) then
    return {'full'}
  end
  local gone = oldest_by_one_with(most, counts)
  redis.call('ZREM', kept, gone)
  if redis.call('HINCRBY', reporters, reporter_of(gone), -1) <= 0 then
    redis.call('HDEL', reporters, reporter_of(gone))
  end
end
id = redis.call('INCR', last)
redis.call('ZADD', kept, id, report)
redis.call('HINCRBY', reporters, reporter, 1)
return {'new', id}
