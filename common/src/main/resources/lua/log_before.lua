#!lua flags=allow-oom
--[[
  log_before - the seq after which everything in the event log was appended at or after a moment

  KEYS     as read_log.lua
  ARGV[1]  epoch  8 hex characters, for a log that has none
  ARGV[2]  millis of the moment, by the server's clock

  Returns  the seq: the one before the log's first when that is the whole log
  Holds    batches are in the order of their times, unless the clock was set back; halves the log, so it looks at 18 batches of 200,000
]]
--#include log_epoch
local seq, epoch, floor, log, batches = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local candidate, millis = ARGV[1], tonumber(ARGV[2])

-- All up to low is older, all after high is not.
local _, high = log_epoch(seq, epoch, floor, log, batches, candidate)
local low = tonumber(redis.call('GET', floor)) - 1
while low < high do
  local middle = math.floor((low + high) / 2)
  local entry = redis.call('XRANGE', log, string.format('(%.0f-0', middle), '+', 'COUNT', 1)[1]
  local last = tonumber(string.match(entry[1], '^%d+'))
  if tonumber(entry[2][2]) < millis then
    low = last
  else
    high = last - tonumber(entry[2][4])
  end
end
return high
