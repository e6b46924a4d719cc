#!lua flags=allow-oom
--[[
  suspend - suspend an account, or lift its suspension

  KEYS[1]  user:{s}:u    HASH
  KEYS[2]  tokens:{s}:u  HASH  the id of a token of a suspended account has a '!' before it, so that no token is found
  KEYS[3]  requests:{s}:u    ZSET  who asks to follow the account
  KEYS[4]  requesting:{s}:u  ZSET  whom the account asks
  KEYS[5]  queue:{s}:stats   HASH
  KEYS[6]  queue:{s}:normal  LIST
  ARGV[1]  now      epoch ms, empty = the server's clock
  ARGV[2]  suspend  '1' = suspend, '0' = lift
  ARGV[3]  account
  ARGV[4]  act      number of the act on a selection of accounts, or of the act that is undone; empty = an act on this account alone

  Returns  1, also when an earlier run of the same act on a selection has done it; 0 when it was so already, or a later act decides; -1 when there is no such account: then nothing is changed
  Holds    in one step: the account is shown to nobody and none of its tokens is good, or it is as it was before. Requests to follow, made or received, end by a job, and do not come back
]]
--#include now
--#include enqueue
--#include selected
local user, list, requests, requesting, stats, lane = unpack(KEYS)
local from, to = 'suspended', 'active'
if ARGV[2] == '1' then
  from, to = to, from
end

local state = redis.call('HGET', user, 'state')
if state ~= from and state ~= to then
  return -1
end
local changes, answer = selected_turn(user, 'suspended', ARGV[4], to == 'suspended', state == 'suspended')
if not changes then
  return answer
end
local tokens = redis.call('HGETALL', list)
for i = 1, #tokens, 2 do
  if to == 'suspended' then
    tokens[i] = '!' .. tokens[i]
  else
    tokens[i] = string.gsub(tokens[i], '^!', '')
  end
end
redis.call('HSET', user, 'state', to)
if to == 'suspended' then
  if redis.call('ZCARD', requests) + redis.call('ZCARD', requesting) > 0 then
    enqueue(lane, stats, now_ms(ARGV[1]), 'requests' .. job_version .. ARGV[3] .. ' ' .. ARGV[3] .. ' 0')
  end
  redis.call('HSET', user, 'suspended', string.format('%.0f', now_ms(ARGV[1])))
else
  redis.call('HDEL', user, 'suspended')
end
if #tokens > 0 then
  redis.call('DEL', list)
  redis.call('HSET', list, unpack(tokens))
end
return 1
