#!lua flags=allow-oom
--[[
  dead_drop - let go of dead letters, the longest dead first

  KEYS[1]  queue:{s}:dead   ZSET  dead letter by time of death, epoch ms
  KEYS[2]  queue:{s}:stats  HASH  counters of the shard
  ARGV[1]  skip             letters to pass over: those that have been looked at and stay
  ARGV[2]  look             letters to look at
  ARGV[3]  take             letters to let go of, of those
  ARGV[4]  type             of the jobs to let go of, empty = any
  ARGV[5]  owner            account that they belong to, empty = any
  ARGV[6]  error            text in their reasons, empty = any
  ARGV[7]  job              the whole line of the job, empty = any

  Returns  {how many were let go of, how many stay, how many of those would match}; the first two are together fewer than look when there are no more. What does not decode matches when
           neither type nor owner is given
  Holds    enqueued = done + waiting + in flight + delayed + dead + dropped
]]
--#include queue
--#include dead
local dead, stats = unpack(KEYS)
local skip, look, take, type, owner = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]
local dropped, stay, matching = 0, 0, 0
for _, letter in ipairs(redis.call('ZRANGE', dead, skip, skip + look - 1)) do
  local matches = has_reason_and_line(letter, ARGV[6], ARGV[7])
    and (type == '' and owner == '' or wanted(letter, type, owner))
  if matches and dropped < take then
    redis.call('ZREM', dead, letter)
    dropped = dropped + 1
  else
    stay = stay + 1
    matching = matching + (matches and 1 or 0)
  end
end
count(stats, 'dropped', dropped)
return { dropped, stay, matching }
