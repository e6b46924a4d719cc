#!lua flags=allow-oom
--[[
  selection_step - settle some accounts of a selection, log what was changed, and take the next ones

  KEYS[1]  {moderation}:selection:<number>  HASH    see Selections.java
  KEYS[2]  {moderation}:selected:<number>   LIST    account ids
  KEYS[3]  {moderation}:roles               HASH    account to its role
  KEYS[4]  {moderation}:log                 STREAM  acts, see Act.fields
  ARGV[1]  now       epoch ms, empty = the server's clock
  ARGV[2]  turn      act or undo
  ARGV[3]  max       accounts to take
  ARGV[4]  log_max   entries of the log
  ARGV[5]  from      place of the settled accounts in the list; -1 = none are settled
  ARGV[6]  taken     how many these are
  ARGV[7]  gone      how many of them are deleted
  ARGV[8]  skipped   how many of them the actor's role does not reach
  ARGV[9]  fields    how many of the following arguments are fields and values of each entry, without the account
  ARGV[10..]         these, then the ids of the accounts that were changed

  Returns  {place, taken, account id, ...}: accounts that the actor's role reaches, among those that were taken; {} when nothing is to be done: the turn has ended, was stopped, or is another one
  Holds    each account is settled once in a turn, in the order of the list; each change has one entry of the log; an actor who is no moderator any more stops the turn
]]
--#include now
--#include ranks
local selection, selected, roles, log = unpack(KEYS)
local turn, max, from, taken, fields = ARGV[2], tonumber(ARGV[3]), ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[9])

local turn_now, phase, by, cursor, count =
  unpack(redis.call('HMGET', selection, 'turn', 'phase', turn == 'act' and 'by' or 'undo_by', 'cursor', 'count'))
if turn_now ~= turn or phase ~= 'running' then
  return {}
end

if from == cursor then
  local changed = #ARGV - 9 - fields
  for i = 10 + fields, #ARGV do
    local entry = { unpack(ARGV, 10, 9 + fields) }
    entry[#entry + 1] = 'account'
    entry[#entry + 1] = ARGV[i]
    redis.call('XADD', log, 'MAXLEN', ARGV[4], '*', unpack(entry))
  end
  cursor = redis.call('HINCRBY', selection, 'cursor', taken)
  redis.call('HINCRBY', selection, turn == 'act' and 'changed' or 'restored', changed)
  if turn == 'act' then
    redis.call('HINCRBY', selection, 'gone', ARGV[7])
    redis.call('HINCRBY', selection, 'skipped', ARGV[8])
  end
end

if tonumber(cursor) >= tonumber(count) then
  redis.call('HSET', selection, 'phase', 'done', 'ended', string.format('%.0f', now_ms(ARGV[1])))
  return {}
end
local own = by == '0' and role_ranks.owner or role_ranks[redis.call('HGET', roles, by) or 'user']
if own < role_ranks.moderator then
  redis.call('HSET', selection, 'phase', 'stopped')
  return {}
end

local ids = redis.call('LRANGE', selected, cursor, tonumber(cursor) + max - 1)
if #ids == 0 then
  return {}
end
local batch, held = { tonumber(cursor), #ids }, redis.call('HMGET', roles, unpack(ids))
for i, id in ipairs(ids) do
  local role = role_ranks[held[i] or 'user']
  if id ~= by and role < own then
    batch[#batch + 1] = id
  end
end
return batch
