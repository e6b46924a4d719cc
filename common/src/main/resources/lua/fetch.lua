#!lua flags=allow-oom
--[[
  fetch - claim waiting jobs as one batch under one lease; asked again with the same name it renews the lease and answers the same jobs

  KEYS[1]   queue:{s}:leases        ZSET  batch by deadline, epoch ms
  KEYS[2]   queue:{s}:batch:<name>  LIST  the jobs of the batch
  KEYS[3]   queue:{s}:suspect       LIST  jobs whose worker died
  KEYS[4]   queue:{s}:delayed       ZSET  job by due time, epoch ms
  KEYS[5]   queue:{s}:<lane>        LIST  where due jobs go
  KEYS[6]   queue:{s}:stats         HASH  paused: the lanes that an operator has paused, see pause.lua
  KEYS[7..] queue:{s}:<lane>        LIST  lanes to take from, in this order
  ARGV[1]   now                     epoch ms, empty = the server's clock
  ARGV[2]   name                    of the batch, unique per claim
  ARGV[3]   lease                   ms
  ARGV[4]   max                     jobs in the batch
  ARGV[5]   due max                 delayed jobs to look at, at most 150
  ARGV[6]   alone                   '1' = a suspect first, and then nothing else; '0' = no suspect: this worker has other work in flight
  ARGV[7..] lane max                jobs to take from the lane at the same place in KEYS

  Returns  {1 when more may be waiting in the lanes that are not paused else 0, how many suspects wait, {job line, ...}}; without jobs there is no batch and no lease
  Holds    a job is in exactly one of: lanes, suspect, delayed, batches, dead; a batch exists exactly while its lease does; a recovered job is alone in its batch
]]
--#include now
--#include queue
local leases, batch, suspect, delayed, due_lane, stats = unpack(KEYS, 1, 6)
local now, name, lease = now_ms(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local max, due_max, alone = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6] == '1'

if redis.call('ZSCORE', leases, name) then
  redis.call('ZADD', leases, now + lease, name)
  return {1, redis.call('LLEN', suspect), redis.call('LRANGE', batch, 0, -1)}
end

-- A job that has ever been recovered stays a suspect.
local due = redis.call('ZRANGE', delayed, '-inf', now, 'BYSCORE', 'LIMIT', 0, due_max)
for _, job in ipairs(due) do
  redis.call('ZREM', delayed, job)
  redis.call('LPUSH', job:match('^0 ') and due_lane or suspect, job)
end

local more = #due == due_max and 1 or 0
local jobs = alone and redis.call('RPOP', suspect, 1) or {}
if #jobs == 0 then
  local paused = redis.call('HGET', stats, 'paused')
  for k = 7, #KEYS do
    if not (paused and paused:find(KEYS[k]:match('[^:]+$') .. '=', 1, true)) then
      local wanted = math.min(tonumber(ARGV[k]), max - #jobs)
      local taken = wanted > 0 and redis.call('RPOP', KEYS[k], wanted) or {}
      for _, job in ipairs(taken) do
        jobs[#jobs + 1] = job
      end
      if #taken == wanted then
        more = 1
      end
    end
  end
end

if #jobs > 0 then
  append_all(batch, jobs)
  redis.call('ZADD', leases, now + lease, name)
end
return {more, redis.call('LLEN', suspect), jobs}
