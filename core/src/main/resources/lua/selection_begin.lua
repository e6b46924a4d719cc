#!lua flags=allow-oom
--[[
  selection_begin - begin an act on a selection of accounts, or its undo, and log it

  KEYS[1]  {moderation}:selections          ZSET    number of a selection by the ms at which it ends
  KEYS[2]  {moderation}:selection:<number>  HASH    see Selections.java
  KEYS[3]  {moderation}:selected:<number>   LIST    account ids
  KEYS[4]  {moderation}:roles               HASH    account to its role
  KEYS[5]  {moderation}:log                 STREAM  acts, see Act.fields
  ARGV[1]  now        epoch ms, empty = the server's clock
  ARGV[2]  number
  ARGV[3]  turn       act or undo
  ARGV[4]  kind       of an act: limit, sensitive or suspend
  ARGV[5]  actor      account; 0 = an operator, who may do everything
  ARGV[6]  life       ms for which the selection is kept from now on
  ARGV[7]  undo_life  ms after the begin of an act in which its undo can begin
  ARGV[8]  log_max    entries of the log
  ARGV[9]  fields     how many of the following arguments are fields and values of the HASH
  ARGV[10..]          these, then the fields and values of the entry

  Returns  begun; same when it has begun before, so that only its job may be missing. Else nothing is changed: absent, rank when the actor is no moderator, empty without accounts, other when
           the act was of another kind, undone when its undo has begun, idle when there is nothing to undo, late after undo_life
  Holds    a selection has one act, and that act one undo; each has one entry of the log. A turn that was stopped, since its actor has lost the role, goes on where it was
]]
--#include now
--#include ranks
local selections, selection, selected, roles, log = unpack(KEYS)
local now, number, turn, kind, actor, life = now_ms(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local fields = tonumber(ARGV[9])

local count, turn_before, phase, kind_before, started =
  unpack(redis.call('HMGET', selection, 'count', 'turn', 'phase', 'kind', 'started'))
if not count then
  return 'absent'
end
if actor ~= '0' and role_ranks[redis.call('HGET', roles, actor) or 'user'] < role_ranks.moderator then
  return 'rank'
end
if count == '0' then
  return 'empty'
end
if turn == 'act' and turn_before and kind_before ~= kind then
  return 'other'
end
if turn == 'act' and turn_before == 'undo' then
  return 'undone'
end
if turn == 'undo' and not turn_before then
  return 'idle'
end
if turn_before == turn and phase ~= 'stopped' then
  return 'same'
end
if turn == 'undo' and turn_before == 'act' and now > tonumber(started) + tonumber(ARGV[7]) then
  return 'late'
end

if turn_before ~= turn then
  redis.call('HSET', selection, 'turn', turn, 'cursor', 0)
  if turn == 'act' then
    redis.call('HSET', selection, 'kind', kind, 'started', string.format('%.0f', now))
  end
end
redis.call('HSET', selection, 'phase', 'running', unpack(ARGV, 10, 9 + fields))
redis.call('XADD', log, 'MAXLEN', ARGV[8], '*', unpack(ARGV, 10 + fields))
redis.call('PEXPIRE', selection, life)
redis.call('PEXPIRE', selected, life)
redis.call('ZADD', selections, string.format('%.0f', now + tonumber(life)), number)
return 'begun'
