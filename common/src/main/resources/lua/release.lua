#!lua flags=allow-oom
--[[
  release - put a batch back unharmed, for the next to take: at shutdown

  KEYS[1]  queue:{s}:leases        ZSET  batch by deadline, epoch ms
  KEYS[2]  queue:{s}:batch:<name>  LIST  the jobs of the batch
  KEYS[3]  queue:{s}:suspect       LIST  jobs whose worker died
  KEYS[4..6] queue:{s}:high, :normal, :low  LIST  lanes for jobs that nobody suspects
  ARGV[1]  name                    of the batch
  ARGV[2..] lane                   of each job in its order: 1..3

  Returns  how many jobs were put back; 0 when the lease was gone
  Holds    as in fetch; no attempt and no recovery is counted
]]
--#include queue
local leases, batch, suspect = unpack(KEYS, 1, 3)
if redis.call('ZREM', leases, ARGV[1]) == 0 then
  return 0
end

-- The batch is in the order of taking and lanes are taken from the tail, so the first goes back last: they have waited before.
local jobs, back, suspected = redis.call('LRANGE', batch, 0, -1), {{}, {}, {}}, {}
for i = #jobs, 1, -1 do
  local list = jobs[i]:match('^0 ') and back[tonumber(ARGV[i + 1])] or suspected
  list[#list + 1] = jobs[i]
end
for lane = 1, 3 do
  append_all(KEYS[3 + lane], back[lane])
end
append_all(suspect, suspected)
redis.call('DEL', batch)
return #jobs
