#!lua flags=allow-oom
--[[
  read_log - where the event log stands and what comes after a seq, seen at one instant

  KEYS[1]  {bus}:seq     STRING  seq of the newest event
  KEYS[2]  {bus}:epoch   STRING  8 hex characters
  KEYS[3]  {bus}:floor   STRING  seq from which the log is whole
  KEYS[4]  {bus}:log     STREAM  see append.lua
  ARGV[1]  epoch         8 hex characters, for a log that has none
  ARGV[2]  after         seq, exclusive
  ARGV[3]  max           events at most; 0 = only the state

  Returns  {epoch, tip, floor, {{'<seq>-0', {'t', ms, 'e', event}}, ...}}
  Holds    a log that has no epoch yet gets one, so that a listener who comes before the first event needs no gap at that event
]]
--#include log_epoch
local seq, epoch, floor, log = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local candidate, after, max = ARGV[1], ARGV[2], ARGV[3]

local current = log_epoch(seq, epoch, floor, log, candidate)
local entries = {}
if max ~= '0' then
  entries = redis.call('XRANGE', log, '(' .. after .. '-0', '+', 'COUNT', max)
end
return { current, redis.call('GET', seq), redis.call('GET', floor), entries }
