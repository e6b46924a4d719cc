-- index_report(own, counts, reporter, id) notes a report that is kept, unindex_report the end of one. Two indexes find
-- the oldest report of an account with most without reading any report: own has the ids, padded to one length, by their
-- account; counts has the accounts by how many of their reports own has.
local function count_report(counts, reporter, more)
  local count = tonumber(redis.call('ZSCORE', counts, reporter) or '0') + more
  if count > 0 then
    redis.call('ZADD', counts, count, reporter)
  else
    redis.call('ZREM', counts, reporter)
  end
end

local function index_report(own, counts, reporter, id)
  if redis.call('ZADD', own, reporter, string.format('%016.0f', tonumber(id))) == 1 then
    count_report(counts, reporter, 1)
  end
end

local function unindex_report(own, counts, reporter, id)
  if redis.call('ZREM', own, string.format('%016.0f', tonumber(id))) == 1 then
    count_report(counts, reporter, -1)
  end
end
