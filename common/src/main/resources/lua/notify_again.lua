#!lua
--[[
  notify_again - tell an account of something that may happen again: word of the last time takes the place of word of an earlier one

  KEYS[1]  notifications  ZSET    notification by its id
  KEYS[2]  dismissed      ZSET    notification by the id it had
  KEYS[3]  ids            STRING  last id of a notification of the shard
  KEYS[4]  blocks         ZSET    of the account: whom it blocks
  KEYS[5]  former         STRING  last id of the shard
  KEYS[6]  subscriptions  HASH    push subscriptions of the account
  KEYS[7]  stats          HASH    of the shard's queue
  KEYS[8]  lane           LIST    of the shard's queue, for pushes
  KEYS[9]  delayed        ZSET    of the shard's queue
  KEYS[10] user           HASH    of the account
  ARGV[1]  now                    ms, empty = the server's clock
  ARGV[2]  shard
  ARGV[3]  notification           '<type> <actor> <status>'
  ARGV[4]  max                    notifications kept
  ARGV[5]  time                   id of what happened, by which the times are told apart

  Returns  the notification's id as it lies there, new or not; '0' when there is none, because it was dismissed or pushed out, or the account blocks its actor or is deleted
  Holds    word goes to the push subscriptions that want it in the same step; told once of each time, however often the job runs, also when it was dismissed or pushed out in between: a notification is never older than what it tells of, so that one that is old enough
           tells of it. By the ms: when two times are nearer to each other than the clocks of two servers, one notification may tell of both
]]
--#include now
--#include next_id
--#include subject_ms
--#include enqueue
--#include push
--#include notify
--#include pushed_out
if redis.call('HGET', KEYS[10], 'state') == 'deleted' then
  return '0'
end
local notifications, dismissed, notification, time = KEYS[1], KEYS[2], ARGV[3], subject_ms(ARGV[5])
local there = redis.call('ZSCORE', notifications, notification)
local then_dismissed = redis.call('ZSCORE', dismissed, notification)
local told = math.max(there and subject_ms(there) or 0, then_dismissed and subject_ms(then_dismissed) or 0)
if told < time and not pushed_out(notifications, ARGV[5], tonumber(ARGV[4])) then
  redis.call('ZREM', notifications, notification)
  notify(
    notifications,
    KEYS[3],
    KEYS[4],
    tonumber(ARGV[2]),
    math.max(now_ms(ARGV[1]), time),
    notification,
    tonumber(ARGV[4]),
    KEYS[5],
    { subscriptions = KEYS[6], stats = KEYS[7], lane = KEYS[8], delayed = KEYS[9] }
  )
end
return redis.call('ZSCORE', notifications, notification) or '0'
