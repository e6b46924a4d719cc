#!lua flags=allow-oom
--[[
  read_log - where the event log stands and what comes after a seq, seen at one instant

  KEYS[1]  {bus}:seq      STRING  seq of the newest event
  KEYS[2]  {bus}:epoch    STRING  8 hex characters
  KEYS[3]  {bus}:floor    STRING  seq from which the log is whole
  KEYS[4]  {bus}:log      STREAM  see append.lua
  KEYS[5]  {bus}:batches  HASH    see append.lua
  ARGV[1]  epoch          8 hex characters, for a log that has none
  ARGV[2]  after          seq, exclusive
  ARGV[3]  max            numbers to be told of; 0 = only the state

  Returns  {epoch, tip, floor, {{seq of the batch's last event, ms of its append, events, lines}, ...}, seq of the newest event of a former epoch or 0}: whole batches, until max is reached
  Holds    a log that has no epoch yet gets one, so that a listener who comes before the first event needs no gap at that event
]]
--#include log_epoch
--#include log_page
--#include log_inherited
local seq, epoch, floor, log, batches = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local candidate, after, max = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local current, tip = log_epoch(seq, epoch, floor, log, batches, candidate)
return { current, tip, redis.call('GET', floor), log_page(log, batches, after, max), log_inherited(batches) }
