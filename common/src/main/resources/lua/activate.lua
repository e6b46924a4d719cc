#!lua
--[[
  activate - the last step of a sign-up: the account is there for everybody, and for ever

  KEYS[1]  user    HASH
  KEYS[2]  counts  HASH  of the shard
  ARGV[1]  account

  Returns  1; 0 when its sign-up is over: then nothing is changed; -1 when there is no such account
  Holds    a sign-up counts once, in the week in which it began; whoever finishes a sign-up late lifts no suspension
]]
--#include subject_ms
--#include count_week
local user, counts, account = KEYS[1], KEYS[2], ARGV[1]

local state = redis.call('HGET', user, 'state')
if not state then
  return -1
end
-- Older versions call it pending.
if state ~= 'joining' and state ~= 'pending' then
  return 0
end
redis.call('HSET', user, 'state', 'active')
redis.call('PERSIST', user)
count_week(counts, 'joined', subject_ms(account), 1)
return 1
