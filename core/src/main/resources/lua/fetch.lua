#!lua flags=allow-oom
--[[
  fetch - claim waiting jobs as one batch under one lease; asked again with the same name it renews the lease and answers the same jobs

  KEYS[1]   queue:{s}:leases        ZSET  batch by deadline, epoch ms
  KEYS[2]   queue:{s}:batch:<name>  LIST  the jobs of the batch
  KEYS[3]   queue:{s}:suspect       LIST  jobs whose worker died
  KEYS[4]   queue:{s}:delayed       ZSET  job by due time, epoch ms
  KEYS[5]   queue:{s}:normal        LIST  where due jobs go, and jobs of the high lane that a claim passes over
  KEYS[6]   queue:{s}:stats         HASH  paused: the lanes that an operator has paused, see pause.lua
  KEYS[7..] queue:{s}:<lane>        LIST  lanes to take from: the first of them that has jobs, of each author a share first
  ARGV[1]   now                     epoch ms, empty = the server's clock
  ARGV[2]   name                    of the batch, unique per claim
  ARGV[3]   lease                   ms
  ARGV[4]   max                     jobs in the batch
  ARGV[5]   due max                 delayed jobs to look at, at most 150
  ARGV[6]   alone                   '1' = a suspect first, and then nothing else; '0' = no suspect: this worker has other work in flight
  ARGV[7..] lane max                jobs to take from the lane at the same place in KEYS

  Returns  {1 when more may be waiting in the lanes that are not paused else 0, how many suspects wait, {job line, ...}, ms until the next delayed job is due or -1 = none is known, name of the
           lane of the jobs or empty = they are suspects, or it is not known any more}; without jobs there is no batch and no lease
  Holds    a job is in exactly one of: lanes, suspect, delayed, batches, dead; a batch exists exactly while its lease does; a recovered job is alone in its batch
]]
--#include now
--#include queue
--#include claim
local leases, batch, suspect, delayed, due_lane, stats = unpack(KEYS, 1, 6)
local lanes = {}
for k = 7, #KEYS do
  lanes[#lanes + 1] = { KEYS[k], tonumber(ARGV[k]) }
end
local q = { leases = leases, batch = batch, suspect = suspect, delayed = delayed, due_lane = due_lane, stats = stats }
return claim(
  q,
  now_ms(ARGV[1]),
  ARGV[2],
  tonumber(ARGV[3]),
  tonumber(ARGV[4]),
  tonumber(ARGV[5]),
  ARGV[6] == '1',
  lanes
)
