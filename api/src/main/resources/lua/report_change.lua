#!lua flags=allow-oom
--[[
  report_change - take, classify, resolve or reopen a report

  KEYS[1]  {reports}:kept       ZSET  report without its id, by its id: open ones
  KEYS[2]  {reports}:reporters  HASH  account to how many of its reports are kept
  KEYS[3]  {reports}:own        ZSET  id of a report by its account, see lib/reports.lua
  KEYS[4]  {reports}:counts     ZSET  account by how many of its reports are in own
  KEYS[5]  {reports}:resolved   ZSET  report without its id, by its id
  KEYS[6]  {reports}:states     HASH  id to '<assigned> <resolved, ms> <by> <category> <changed, ms>'; 0 and - = none
  ARGV[1]  now           epoch ms, empty = the server's clock
  ARGV[2]  id
  ARGV[3]  reporter      of this report
  ARGV[4]  change        assign, classify, resolve or reopen
  ARGV[5]  value         of assign the account, 0 = nobody; of classify the category; of resolve the account that does it
  ARGV[6]  max           reports that are open
  ARGV[7]  resolved_max  reports that are resolved

  Returns  1 when the report has the state of the change, also if it had it before; 0 for an unknown id; -1 when max reports are open, so that none is reopened
  Holds    a report is open or resolved; the counts are those of the open ones; each state is that of a report
]]
--#include now
--#include reports
local kept, reporters, own, counts, resolved, states = unpack(KEYS)
local now, id, reporter, change, value = string.format('%.0f', now_ms(ARGV[1])), ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local max, resolved_max = tonumber(ARGV[6]), tonumber(ARGV[7])

local open = redis.call('ZRANGE', kept, id, id, 'BYSCORE')[1]
local closed = redis.call('ZRANGE', resolved, id, id, 'BYSCORE')[1]
if not open and not closed then
  return 0
end
local state = redis.call('HGET', states, id) or '0 0 0 - 0'
local assigned, at, by, category = string.match(state, '^(%d+) (%d+) (%d+) (%S+)')

if change == 'assign' then
  assigned = value
elseif change == 'classify' then
  category = value
elseif change == 'resolve' and open then
  at, by = now, value
  redis.call('ZREM', kept, open)
  redis.call('ZADD', resolved, id, open)
  if redis.call('HINCRBY', reporters, reporter, -1) <= 0 then
    redis.call('HDEL', reporters, reporter)
  end
  unindex_report(own, counts, reporter, id)
  local over = redis.call('ZCARD', resolved) - resolved_max
  if over > 0 then
    local oldest = redis.call('ZRANGE', resolved, 0, over - 1, 'WITHSCORES')
    for i = 1, #oldest, 2 do
      redis.call('ZREM', resolved, oldest[i])
      redis.call('HDEL', states, oldest[i + 1])
      if oldest[i + 1] == id then
        return 1
      end
    end
  end
elseif change == 'reopen' and closed then
  if redis.call('ZCARD', kept) >= max then
    return -1
  end
  at, by = '0', '0'
  redis.call('ZREM', resolved, closed)
  redis.call('ZADD', kept, id, closed)
  redis.call('HINCRBY', reporters, reporter, 1)
  index_report(own, counts, reporter, id)
else
  return 1
end
redis.call('HSET', states, id, table.concat({ assigned, at, by, category, now }, ' '))
return 1
