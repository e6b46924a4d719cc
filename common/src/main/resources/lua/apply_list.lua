#!lua
--[[
  apply_list - list an account that waits for approval

  KEYS[1]  applicants  ZSET  account by its id
  ARGV[1]  account
  ARGV[2]  oldest      the least id that may be listed: applications before it have ended
  ARGV[3]  max         accounts that may wait

  Returns  1, or 0 when as many wait as may: then nothing is added
  Holds    never more than ARGV[3] are listed; a repetition changes nothing
]]
local applicants, account, max = KEYS[1], ARGV[1], tonumber(ARGV[3])

redis.call('ZREMRANGEBYSCORE', applicants, '-inf', '(' .. ARGV[2])
if redis.call('ZSCORE', applicants, account) then
  return 1
end
if redis.call('ZCARD', applicants) >= max then
  return 0
end
redis.call('ZADD', applicants, account, account)
return 1
