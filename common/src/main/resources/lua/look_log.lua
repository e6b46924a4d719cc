#!lua flags=no-writes
--[[
  look_log - what read_log.lua tells, of a server that takes no writes

  KEYS     as read_log.lua
  ARGV[1]  after  seq, exclusive
  ARGV[2]  max    numbers to be told of; 0 = only the state

  Returns  as read_log.lua; an error NOREPLICAS when the log has no epoch, or has lost a part, since it cannot begin anew
  Holds    nothing is written
]]
--#include log_page
--#include log_inherited
local seq, epoch, floor, log, batches = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local current, last, whole = unpack(redis.call('MGET', epoch, seq, floor))
if current and last and whole and (tonumber(whole) > tonumber(last) or redis.call('EXISTS', log, batches) == 2) then
  local page = log_page(log, batches, tonumber(ARGV[1]), tonumber(ARGV[2]))
  return { current, tonumber(last), whole, page, log_inherited(batches) }
end
return redis.error_reply('NOREPLICAS the event log cannot begin anew while nothing is written')
