#!lua flags=allow-oom
--[[
  renew_epoch - begin a new epoch, because Redis has gone back in time and gives numbers out again

  KEYS[1]  {bus}:seq      STRING  seq of the newest event
  KEYS[2]  {bus}:epoch    STRING  8 hex characters
  KEYS[3]  {bus}:floor    STRING  seq from which the log is whole
  KEYS[4]  {bus}:log      STREAM  see append.lua
  KEYS[5]  {bus}:batches  HASH    see append.lua
  ARGV[1]  the epoch that is to end
  ARGV[2]  the epoch to begin

  Returns  the epoch that holds now; many relays notice the same loss, only the first one's candidate counts
  Holds    lib/log_epoch.lua empties a log that has lost a part. Any other log keeps its events and their numbers. The field 'inherited' has the last number of the former epochs. Each relay
           compares its events with the log, and sends those that follow the last common one
]]
--#include log_epoch
local seq, epoch, floor, log, batches = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local ending, beginning = ARGV[1], ARGV[2]
local current, tip = log_epoch(seq, epoch, floor, log, batches, beginning)
if current == ending then
  redis.call('SET', epoch, beginning)
  if tonumber(redis.call('GET', floor)) <= tip then
    redis.call('HSET', batches, 'inherited', string.format('%d', tip))
  end
end
return redis.call('GET', epoch)
