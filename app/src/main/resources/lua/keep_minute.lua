#!lua
--[[
  keep_minute - keep what a process did in one minute

  KEYS[1]  minutes:<hour>  HASH  '<minute of the hour> <process>' to figures, for the console; 'process <process>' for each process, 'processes' counts them
  ARGV[1]  minute          of the hour, two digits
  ARGV[2]  process         its name
  ARGV[3]  figures         numbers with spaces between
  ARGV[4]  max             processes of an hour
  ARGV[5]  ms              how long the hour is kept after its newest change

  Returns  1, or 0 when the hour has as many processes as it may and this is another one
  Holds    kept twice is kept once; a process that is in the hour has room for each of its minutes
]]
local hour, process = KEYS[1], 'process ' .. ARGV[2]
if redis.call('HEXISTS', hour, process) == 0 then
  if tonumber(redis.call('HGET', hour, 'processes') or '0') >= tonumber(ARGV[4]) then
    return 0
  end
  redis.call('HSET', hour, process, '')
  redis.call('HINCRBY', hour, 'processes', 1)
end
redis.call('HSET', hour, ARGV[1] .. ' ' .. ARGV[2], ARGV[3])
redis.call('PEXPIRE', hour, ARGV[5])
return 1
