#!lua flags=allow-oom
--[[
  settle_fetch - settle one batch and fetch the next of the shard, in one step: for a worker that knows of more

  KEYS[1]   queue:{s}:leases        ZSET  batch by deadline, epoch ms
  KEYS[2]   queue:{s}:batch:<name>  LIST  the jobs of the batch that ends
  KEYS[3]   queue:{s}:stats         HASH  counters of the shard; paused: see pause.lua
  KEYS[4]   queue:{s}:delayed       ZSET  job by due time, epoch ms
  KEYS[5]   queue:{s}:dead          ZSET  dead letter by time of death, epoch ms
  KEYS[6..8] queue:{s}:high, :normal, :low  LIST  lanes
  KEYS[9]   queue:{s}:suspect       LIST  jobs whose worker died
  KEYS[10]  queue:{s}:batch:<next>  LIST  the jobs of the batch that begins
  KEYS[11..] status:{s}:p           HASH  as in settle
  ARGV[1]   now                     epoch ms, empty = the server's clock
  ARGV[2]   name                    of the batch that ends
  ARGV[3]   keep                    as in settle
  ARGV[4]   age                     as in settle
  ARGV[5]   next                    name of the batch that begins, unique per claim
  ARGV[6]   lease                   ms
  ARGV[7]   max                     jobs in the batch that begins
  ARGV[8]   due max                 as in fetch
  ARGV[9..14] order                 three pairs: lane 1..3, jobs to take from it; the first that has jobs is taken from
  ARGV[15]  failures                how many triples follow, as in settle
  ARGV[..]  continuations           pairs after the failures, as in settle

  Returns  {what settle returns, what fetch returns}. The two parts do not depend on each other: a lease that was lost keeps no jobs from being claimed, and a call that is repeated finds the
           first part LOST and answers the same jobs
  Holds    as in settle and fetch; no suspect is claimed, since it would be the worker's second batch
]]
--#include now
--#include queue
--#include enqueue
--#include settle
--#include claim
local leases, batch, stats, delayed, dead, high, normal, low, suspect, next_batch = unpack(KEYS)
local now, lanes, order = now_ms(ARGV[1]), { high, normal, low }, {}
for a = 9, 13, 2 do
  order[#order + 1] = { lanes[tonumber(ARGV[a])], tonumber(ARGV[a + 1]) }
end
local ending = { leases = leases, batch = batch, stats = stats, delayed = delayed, dead = dead, lanes = lanes }
local beginning =
  { leases = leases, batch = next_batch, suspect = suspect, delayed = delayed, due_lane = normal, stats = stats }
local won = settle(ending, now, ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), 15, 11)
return { won, claim(beginning, now, ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), false, order) }
