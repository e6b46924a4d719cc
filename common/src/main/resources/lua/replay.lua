#!lua
--[[
  replay - give dead letters a new life, the longest dead first

  KEYS[1]  queue:{s}:dead    ZSET  dead letter by time of death, epoch ms
  KEYS[2]  queue:{s}:<lane>  LIST  where they wait
  KEYS[3]  queue:{s}:stats   HASH  counters of the shard
  ARGV[1]  now               epoch ms, empty = the server's clock
  ARGV[2]  skip              letters to pass over: those that have been found not to decode
  ARGV[3]  max               letters to look at

  Returns  {how many wait again, how many do not decode and stay where they are}; fewer together than max when there are no more
  Holds    as in fetch; the job starts anew: no recovery, no attempt, enqueued now
]]
--#include now
--#include queue
local dead, lane, stats = unpack(KEYS)
local now, skip, max = now_ms(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local replayed, kept = 0, 0
for _, letter in ipairs(redis.call('ZRANGE', dead, skip, skip + max - 1)) do
  local job = letter:match('^[^\t]*\t%d+ %d+ %d+ ([%l_]+%.%d+.*)$')
  if job then
    redis.call('ZREM', dead, letter)
    redis.call('LPUSH', lane, '0 0 ' .. string.format('%.0f', now) .. ' ' .. job)
    replayed = replayed + 1
  else
    kept = kept + 1
  end
end
count(stats, 'replayed', replayed)
return {replayed, kept}
