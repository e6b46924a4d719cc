#!lua
--[[
  link - the far side of edges: of follows and blocks at the other account, of likes, reposts, quotes and comments at the status

  KEYS[1]   subject        HASH    account or status
  KEYS[2]   set            ZSET    of the subject: member by edge id
  KEYS[3]   ended          ZSET    of the subject: member by the edge that has ended
  KEYS[4]   notifications  ZSET    of the subject's owner: notification by its id
  KEYS[5]   ids            STRING  last id of a notification of the shard
  KEYS[6]   blocks         ZSET    of the subject's owner: whom it blocks
  KEYS[7]   former         STRING  last id of the shard
  KEYS[8]   subscriptions  HASH    push subscriptions of the subject's owner
  KEYS[9]   stats          HASH    of the shard's queue
  KEYS[10]  lane           LIST    of the shard's queue, for pushes
  KEYS[11]  delayed        ZSET    of the shard's queue
  ARGV[1]   now                    ms, empty = the server's clock
  ARGV[2]   shard
  ARGV[3]   living                 field that the subject has while it is there, empty = it is an account, which stays
  ARGV[4]   counter                field of the subject that counts the set, empty = none
  ARGV[5]   notification           to the owner of a member that is new, empty = none
  ARGV[6]   max                    notifications kept
  ARGV[7..] member, edge, member, edge, ...

  Returns  the notification's id as it lies there, new or not; '0' when there is none; '-2' when the subject is not in Redis: it may be archived; '-3' when it is an account that is deleted; '-1' when nothing was linked because an edge of the member, this one or a later one, has ended here
  Holds    counter = size of the set; of two edges of one member the later one stays; an edge that unlink.lua has ended does not come back, however late a process that stood
           still links it; nothing is linked to what is gone, nor to a deleted account, so that its erasure finds all that is linked; the notification comes with the member, in one step, with word to the push subscriptions that want it, so that a repetition tells nothing again; of those whom the
           owner blocks it is told nothing
]]
--#include now
--#include next_id
--#include enqueue
--#include push
--#include notify
local subject, set, ended, notifications, ids, blocks, former, subscriptions, stats, lane, delayed = unpack(KEYS)
local living, counter, notification = ARGV[3], ARGV[4], ARGV[5]

if living ~= '' then
  local there, gone = unpack(redis.call('HMGET', subject, living, 'gone'))
  if not there or gone then
    return gone and '0' or '-2'
  end
elseif redis.call('HGET', subject, 'state') == 'deleted' then
  return '-3'
end
local new, refused = 0, false
for i = 7, #ARGV, 2 do
  local last = redis.call('ZSCORE', ended, ARGV[i])
  if not last or tonumber(ARGV[i + 1]) > tonumber(last) then
    new = new + redis.call('ZADD', set, 'GT', ARGV[i + 1], ARGV[i])
  else
    refused = true
  end
end
if counter ~= '' then
  redis.call('HSET', subject, counter, redis.call('ZCARD', set))
end
if refused and new == 0 then
  return '-1'
end
if notification == '' then
  return '0'
end
if new > 0 then
  notify(
    notifications,
    ids,
    blocks,
    tonumber(ARGV[2]),
    now_ms(ARGV[1]),
    notification,
    tonumber(ARGV[6]),
    former,
    { subscriptions = subscriptions, stats = stats, lane = lane, delayed = delayed }
  )
end
return redis.call('ZSCORE', notifications, notification) or '0'
