#!lua
--[[
  keep_minute - keep what a process did in one minute

  KEYS[1]  minutes:<hour>  HASH  '<minute of the hour> <process>' to figures, for the console
  ARGV[1]  field           '<minute of the hour> <process>'
  ARGV[2]  figures         numbers with spaces between
  ARGV[3]  max             fields of an hour
  ARGV[4]  ms              how long the hour is kept after its newest change

  Returns  1, or 0 when the hour is full and the field is a new one
  Holds    kept twice is kept once
]]
local hour, field = KEYS[1], ARGV[1]
if redis.call('HLEN', hour) >= tonumber(ARGV[3]) and redis.call('HEXISTS', hour, field) == 0 then
  return 0
end
redis.call('HSET', hour, field, ARGV[2])
redis.call('PEXPIRE', hour, ARGV[4])
return 1
