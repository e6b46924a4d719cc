#!lua flags=allow-oom
--[[
  release - put a batch back unharmed, for the next to take: at shutdown

  KEYS[1]  queue:{s}:leases        ZSET  batch by deadline, epoch ms
  KEYS[2]  queue:{s}:batch:<name>  LIST  the jobs of the batch
  KEYS[3]  queue:{s}:suspect       LIST  jobs whose worker died
  KEYS[4]  queue:{s}:<lane>        LIST  for jobs that nobody suspects: the lane that they were taken from
  ARGV[1]  name                    of the batch

  Returns  how many jobs were put back; 0 when the lease was gone
  Holds    as in fetch; no attempt and no recovery is counted
]]
--#include queue
local leases, batch, suspect, lane = unpack(KEYS)
if not redis.call('ZSCORE', leases, ARGV[1]) then
  return 0
end

-- The batch is in the order of taking and lanes are taken from the tail, so the first goes back last: they have waited before.
local jobs, back, suspected = redis.call('LRANGE', batch, 0, -1), {}, {}
for i = #jobs, 1, -1 do
  local list = jobs[i]:match('^0 ') and back or suspected
  list[#list + 1] = jobs[i]
end
append_all(lane, back)
append_all(suspect, suspected)
-- The lease goes last, as in lib/settle.lua.
redis.call('DEL', batch)
redis.call('ZREM', leases, ARGV[1])
return #jobs
