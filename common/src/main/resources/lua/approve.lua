#!lua
--[[
  approve - let somebody in who has applied: the account is there for everybody, and for ever

  KEYS[1]  user    HASH
  KEYS[2]  counts  HASH  of the shard
  KEYS[3]  tokens  HASH  the id of a token of an applicant has a '?' before it, so that no token is found
  ARGV[1]  account

  Returns  1; 0 when the account does not wait for approval, -1 when there is none: then nothing is changed
  Holds    in one step: the account is active, its tokens are good, and its reason is erased. A sign-up counts once, in the week in which it began
]]
--#include subject_ms
--#include count_week
local user, counts, list = KEYS[1], KEYS[2], KEYS[3]

local state = redis.call('HGET', user, 'state')
if state ~= 'applied' then
  return state and 0 or -1
end
redis.call('HSET', user, 'state', 'active')
redis.call('HDEL', user, 'reason', 'wait')
redis.call('PERSIST', user)
local tokens = redis.call('HGETALL', list)
if #tokens > 0 then
  for i = 1, #tokens, 2 do
    tokens[i] = string.gsub(tokens[i], '^%?', '')
  end
  redis.call('DEL', list)
  redis.call('HSET', list, unpack(tokens))
end
count_week(counts, 'joined', subject_ms(ARGV[1]), 1)
return 1
