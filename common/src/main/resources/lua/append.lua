#!lua
--[[
  append - give one event its place in the order of all events, keep it in the log and tell the relays, all at once: what is published comes in the log's order

  KEYS[1]  {bus}:seq             STRING  seq of the newest event
  KEYS[2]  {bus}:epoch           STRING  8 hex characters
  KEYS[3]  {bus}:floor           STRING  from this seq on the log is whole: what it lacks above was taken out because it was deleted
  KEYS[4]  {bus}:log             STREAM  <seq>-0: t = ms of the append, e = <kind>|<subject>|<rest>
  KEYS[5]  {bus}:seen:<hour>     HASH    event id to seq, of the hour in which the subject was made
  KEYS[6]  {bus}:seen:<hour>     HASH    the same of the status that a notification is about, else KEYS[5]
  ARGV[1]  channel               where relays listen
  ARGV[2]  epoch                 8 hex characters, for a log that has none
  ARGV[3]  kind                  s status, d delete, f follow, u unfollow, n notification, b block, k unblock, m mute, o unmute
  ARGV[4]  subject               id of the status, edge or notification
  ARGV[5]  rest                  <actor>|<target>|<visibility>|<match> TAB <json>, without match and TAB where filters have nothing to look at; a delete takes
                                 over the match of its status while the log has that
  ARGV[6]  log max               events kept (about)
  ARGV[7]  retention             ms that an event id is remembered and an event is kept at most
  ARGV[8]  now                   ms; empty = the server's TIME
  ARGV[9]  about                 status that a notification shows, empty = none

  Returns  the event's seq; 0 = it was there, its undoing was there, it shows what is deleted, or it is so old that nobody remembers
  Holds    an event id gets one seq at most within the retention: a status or follow then ever, since it is too old afterwards; a delete or unfollow gets another when its job is
           replayed from the dead letters later than that, which tells clients of what they know. A delete comes after its status and the log has only one of the two; seq goes up
           by one within an epoch

  Refused when Redis is full (no allow-oom), on purpose: the job that makes sure of the event is held and runs again, so nothing is lost, and the log does not grow then.
]]
--#include now
--#include subject_ms
--#include log_epoch
local seq_key, epoch_key, floor_key, log, seen = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local shown = KEYS[6]
local channel, candidate, kind, subject, rest = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local log_max, retention, now, about = ARGV[6], tonumber(ARGV[7]), now_ms(ARGV[8]), ARGV[9]
local undone_by = ({ s = 'd', f = 'u', b = 'k', m = 'o' })[kind]

if redis.call('HEXISTS', seen, kind .. subject) == 1 then
  return 0
end
if undone_by then
  -- Status and follow are as old as their subject, so one that is older than the memory of ids can only be a repetition. Delete and unfollow may come at any age: to
  -- tell them twice after days does no harm, not to tell them would.
  if now - subject_ms(subject) > retention or redis.call('HEXISTS', seen, undone_by .. subject) == 1 then
    return 0
  end
end

if kind == 'n' then
  local deleted = about ~= '' and redis.call('HEXISTS', shown, 'd' .. about) == 1
  if deleted or now - subject_ms(subject) > retention then
    return 0
  end
end

local epoch = log_epoch(seq_key, epoch_key, floor_key, log, candidate)

if kind == 'd' then
  local status_seq = redis.call('HGET', seen, 's' .. subject)
  if status_seq then
    local entry = redis.call('XRANGE', log, status_seq .. '-0', status_seq .. '-0')[1]
    -- The number may be of a former epoch and somebody else's by now: look before taking it out.
    if entry and string.find(entry[2][4], 's|' .. subject .. '|', 1, true) == 1 then
      redis.call('XDEL', log, entry[1])
      local match = string.match(entry[2][4], '^s|%d+|%d+|%d+|%a+|([^\t]*)\t')
      if match then
        local head, tail = string.match(rest, '^(%d+|%d+|%a+|)(.*)$')
        local body = string.match(tail, '\t(.*)$') or tail
        rest = head .. match .. '\t' .. body
      end
    end
  end
end

local seq = string.format('%.0f', redis.call('INCR', seq_key))
local time = string.format('%.0f', now)
local event = kind .. '|' .. subject .. '|' .. rest
redis.call('XADD', log, seq .. '-0', 't', time, 'e', event)
redis.call('HSET', seen, kind .. subject, seq)
redis.call('PEXPIRE', seen, retention)

-- Events leave the log before their ids are forgotten, else a late delete could not find its status. An hour's worth leaves at once, so this search is rare.
local trimmed = redis.call('XTRIM', log, 'MAXLEN', '~', log_max)
local oldest = redis.call('XRANGE', log, '-', '+', 'COUNT', 1)[1]
if tonumber(oldest[2][2]) < now - retention then
  local low, high = tonumber(redis.call('GET', floor_key)), tonumber(seq)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local entry = redis.call('XRANGE', log, string.format('%.0f-0', middle), '+', 'COUNT', 1)[1]
    if tonumber(entry[2][2]) < now - retention + 3600000 then
      low = middle + 1
    else
      high = middle
    end
  end
  trimmed = trimmed + redis.call('XTRIM', log, 'MINID', string.format('%.0f-0', low))
end
if trimmed > 0 then
  local first = redis.call('XRANGE', log, '-', '+', 'COUNT', 1)[1]
  redis.call('SET', floor_key, string.match(first[1], '^%d+'))
end

redis.call('PUBLISH', channel, epoch .. '|' .. seq .. '|' .. time .. '|' .. event)
return tonumber(seq)
