#!lua
--[[
  update_account - change what a user says of an account

  KEYS[1]  user:{s}:u  HASH
  KEYS[2]  media_due   ZSET  of the shard
  KEYS[3]  requests    ZSET  of the account: who asks to follow it
  KEYS[4]  stats       HASH  of the queue
  KEYS[5]  lane        LIST  that the job waits in
  ARGV[1]  account
  ARGV[2..]  names and values of fields in turn; an empty value takes the field out, since it is the ordinary one

  Returns  1, or 0 when there is no such active account: then nothing is changed
  Holds    rev goes up with every change, in the same step; whoever asked to follow an account that is locked no more is admitted by a job, which is never refused; the file of a picture is either named by the account or in media_due
]]
--#include now
--#include enqueue
local user, media_due, requests, stats, lane = unpack(KEYS)
local account = ARGV[1]

if redis.call('HGET', user, 'state') ~= 'active' then
  return 0
end
for i = 2, #ARGV, 2 do
  if ARGV[i] == 'avatar' or ARGV[i] == 'header' then
    local former = redis.call('HGET', user, ARGV[i])
    redis.call('ZREM', media_due, ARGV[i + 1])
    if former and former ~= ARGV[i + 1] then
      redis.call('ZADD', media_due, 0, former)
    end
  end
  local opens = ARGV[i] == 'locked' and ARGV[i + 1] == '' and redis.call('HEXISTS', user, 'locked') == 1
  if opens and redis.call('ZCARD', requests) > 0 then
    enqueue(lane, stats, now_ms(''), 'requests' .. job_version .. account .. ' ' .. account .. ' 0')
  end
  if ARGV[i + 1] == '' then
    redis.call('HDEL', user, ARGV[i])
  else
    redis.call('HSET', user, ARGV[i], ARGV[i + 1])
  end
end
redis.call('HINCRBY', user, 'rev', 1)
return 1
