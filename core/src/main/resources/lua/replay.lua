#!lua
--[[
  replay - give dead letters a new life, the longest dead first

  KEYS[1]  queue:{s}:dead    ZSET  dead letter by time of death, epoch ms
  KEYS[2]  queue:{s}:<lane>  LIST  where they wait
  KEYS[3]  queue:{s}:stats   HASH  counters of the shard
  ARGV[1]  now               epoch ms, empty = the server's clock
  ARGV[2]  skip              letters to pass over: those that have been looked at and stay
  ARGV[3]  look              letters to look at
  ARGV[4]  take              letters to replay of those
  ARGV[5]  type              of the jobs to replay, empty = any
  ARGV[6]  owner             account that they belong to, empty = any
  ARGV[7]  error             text in their reasons, empty = any
  ARGV[8]  job               the whole line of the job, empty = any

  Returns  {how many wait again, how many stay, how many of those would match}; the first two are together fewer than look when there are no more. What does not decode never matches
  Holds    as in fetch; the job starts anew: no recovery, no attempt, enqueued now
]]
--#include now
--#include queue
--#include dead
local dead, lane, stats = unpack(KEYS)
local now, skip, look, take = now_ms(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local replayed, stay, matching = 0, 0, 0
for _, letter in ipairs(redis.call('ZRANGE', dead, skip, skip + look - 1)) do
  local job = has_reason_and_line(letter, ARGV[7], ARGV[8]) and wanted(letter, ARGV[5], ARGV[6])
  if job and replayed < take then
    redis.call('ZREM', dead, letter)
    redis.call('LPUSH', lane, '0 0 ' .. string.format('%.0f', now) .. ' ' .. job)
    replayed = replayed + 1
  else
    stay = stay + 1
    matching = matching + (job and 1 or 0)
  end
end
count(stats, 'replayed', replayed)
return { replayed, stay, matching }
