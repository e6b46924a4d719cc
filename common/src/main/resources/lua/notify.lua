#!lua
--[[
  notify - tell an account of something that leaves no mark of its own, such as being named in a text

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
  ARGV[5]  time                   id of what happened; empty = it is told at any time

  Returns  the notification's id as it lies there, new or not; '0' when there is none, because it was dismissed or pushed out, or the account blocks its actor or is deleted
  Holds    word goes to the push subscriptions that want it in the same step; told once, however often the job runs, also when it was dismissed or pushed out in between; of those whom the account blocks it is told nothing
]]
--#include now
--#include next_id
--#include enqueue
--#include push
--#include notify
--#include subject_ms
--#include pushed_out
if redis.call('HGET', KEYS[10], 'state') == 'deleted' then
  return '0'
end
if not redis.call('ZSCORE', KEYS[2], ARGV[3]) and not pushed_out(KEYS[1], ARGV[5], tonumber(ARGV[4])) then
  notify(
    KEYS[1],
    KEYS[3],
    KEYS[4],
    tonumber(ARGV[2]),
    now_ms(ARGV[1]),
    ARGV[3],
    tonumber(ARGV[4]),
    KEYS[5],
    { subscriptions = KEYS[6], stats = KEYS[7], lane = KEYS[8], delayed = KEYS[9] }
  )
end
return redis.call('ZSCORE', KEYS[1], ARGV[3]) or '0'
