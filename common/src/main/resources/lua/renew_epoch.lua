#!lua flags=allow-oom
--[[
  renew_epoch - declare that seqs of an epoch cannot be trusted any more, because Redis has gone back in time and gave numbers out again

  KEYS[1]  {bus}:epoch  STRING  8 hex characters
  ARGV[1]  the epoch that is to end
  ARGV[2]  the epoch to begin

  Returns  the epoch that holds now; many relays notice the same loss, only the first one's candidate counts
]]
local epoch = KEYS[1]
local ending, beginning = ARGV[1], ARGV[2]
if redis.call('GET', epoch) == ending then
  redis.call('SET', epoch, beginning)
end
return redis.call('GET', epoch)
