#!lua flags=allow-oom
--[[
  beat - renew the leases of batches that are still being worked on

  KEYS[1]   queue:{s}:leases  ZSET  batch by deadline, epoch ms
  ARGV[1]   now               epoch ms, empty = the server's clock
  ARGV[2]   lease             ms
  ARGV[3..] names             of the batches

  Returns  for each name 1 = renewed, 0 = gone: its jobs run elsewhere
  Holds    never makes a lease
]]
--#unfenced
-- A single write for each name.
--#unchecked
--#include now
local leases, now, lease = KEYS[1], now_ms(ARGV[1]), tonumber(ARGV[2])
local answer = {}
for i = 3, #ARGV do
  if redis.call('ZSCORE', leases, ARGV[i]) then
    redis.call('ZADD', leases, 'XX', now + lease, ARGV[i])
    answer[#answer + 1] = 1
  else
    answer[#answer + 1] = 0
  end
end
return answer
