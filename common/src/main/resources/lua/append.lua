#!lua
--[[
  append - give events their places in the order of all events, keep them in the log and tell the relays, all at once: what is published comes in the log's order

  KEYS[1]  {bus}:seq             STRING  seq of the newest event
  KEYS[2]  {bus}:epoch           STRING  8 hex characters
  KEYS[3]  {bus}:floor           STRING  from this seq on the log is whole: what it lacks above was taken out because it was deleted
  KEYS[4]  {bus}:log             STREAM  <seq>-0: t = ms of the append, e = the event
  KEYS[5..] {bus}:seen:<hour>    HASH    event id to seq, of the hours in which the subjects were made and the statuses that notifications are about; each once
  ARGV[1]  channel               where relays listen
  ARGV[2]  epoch                 8 hex characters, for a log that has none
  ARGV[3]  log max               events kept (about)
  ARGV[4]  retention             ms that an event id is remembered and an event is kept at most
  ARGV[5]  now                   ms; empty = the server's TIME
  and of each event (at most 64), in the order in which they come into the log, from ARGV[6] on:
  kind                           s status, d delete, f follow, u unfollow, n notification, b block, k unblock, m mute, o unmute
  subject                        id of the status, edge or notification
  event                          <kind>|<subject>|<actor>|<target>|<visibility>|<match> TAB <json>, without match and TAB where filters have nothing to look at; a delete
                                 takes over the match of its status while the log has that
  seen                           which of KEYS is of the subject's hour
  about                          status that a notification shows, empty = none
  shown                          which of KEYS is of its hour

  Returns  the seq of each event; 0 = it was there, its undoing was there, it shows what is deleted, or it is so old that nobody remembers
  Holds    what holds when each event has a call of its own: an event id gets one seq at most within the retention: a status or follow then ever, since it is too old afterwards; a delete or unfollow gets another when its job is
           replayed from the dead letters later than that, which tells clients of what they know. A delete comes after its status and the log has only one of the two; seq goes up
           by one within an epoch

  Refused when Redis is full (no allow-oom), on purpose: the job that makes sure of the event is held and runs again, so nothing is lost, and the log does not grow then.

  Lua hashes every string that it makes, byte by byte: 2 us for an event. So an event comes as it lies in the log, and is put together once only, for the channel.
]]
--#include now
--#include subject_ms
--#include log_epoch
local seq_key, epoch_key, floor_key, log = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local channel, candidate, log_max, retention, now = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), now_ms(ARGV[5])
local first_event, parts = 6, 6
local undoings = { s = 'd', f = 'u', b = 'k', m = 'o' }

-- The seq of each event that was there before, and true or the seq for those of this call, by event id.
local there = {}

-- What must be known of other events before an event is appended, or of the one that it undoes: one question for each hour.
local asked = {}
local function ask(seen, id)
  asked[seen] = asked[seen] or {}
  table.insert(asked[seen], id)
end
for at = first_event, #ARGV, parts do
  local kind, subject, about = ARGV[at], ARGV[at + 1], ARGV[at + 4]
  local seen = KEYS[tonumber(ARGV[at + 3])]
  local other = kind == 'd' and 's' or undoings[kind]
  ask(seen, kind .. subject)
  if other then
    ask(seen, other .. subject)
  end
  if about ~= '' then
    ask(KEYS[tonumber(ARGV[at + 5])], 'd' .. about)
  end
end
for seen, ids in pairs(asked) do
  local found = redis.call('HMGET', seen, unpack(ids))
  for i, id in ipairs(ids) do
    there[id] = found[i] or nil
  end
end

local function is_new(kind, subject, about)
  local undone_by = undoings[kind]
  if there[kind .. subject] or (undone_by and there[undone_by .. subject]) then
    return false
  end
  -- Status and follow are as old as their subject, so one that is older than the memory of ids can only be a repetition. Delete and unfollow may come at any age: to
  -- tell them twice after days does no harm, not to tell them would.
  if (undone_by or kind == 'n') and now - subject_ms(subject) > retention then
    return false
  end
  return not (kind == 'n' and there['d' .. about])
end

-- Takes the status of a delete out of the log; answers what filters looked at of it, nil when that is not known.
local function take_out(subject)
  local seq = there['s' .. subject]
  local entry = seq and redis.call('XRANGE', log, seq .. '-0', seq .. '-0')[1]
  -- The number may be of a former epoch and somebody else's by now: look before taking it out.
  if not entry or string.find(entry[2][4], 's|' .. subject .. '|', 1, true) ~= 1 then
    return nil
  end
  redis.call('XDEL', log, entry[1])
  return string.match(entry[2][4], '^s|%d+|%d+|%d+|%a+|([^\t]*)\t')
end

local seqs, new = {}, {}
for at = first_event, #ARGV, parts do
  seqs[#seqs + 1] = 0
  if is_new(ARGV[at], ARGV[at + 1], ARGV[at + 4]) then
    there[ARGV[at] .. ARGV[at + 1]] = true
    new[#new + 1] = at
  end
end
if #new == 0 then
  return seqs
end

local epoch = log_epoch(seq_key, epoch_key, floor_key, log, candidate)
local last = redis.call('INCRBY', seq_key, #new)
local time = string.format('%.0f', now)
local remembered = {}
for i, at in ipairs(new) do
  local kind, subject, event, seen = ARGV[at], ARGV[at + 1], ARGV[at + 2], KEYS[tonumber(ARGV[at + 3])]
  local seq = string.format('%.0f', last - #new + i)
  local match = kind == 'd' and take_out(subject)
  if match then
    local head, tail = string.match(event, '^(%a|%d+|%d+|%d+|%a+|)(.*)$')
    local body = string.match(tail, '\t(.*)$') or tail
    event = head .. match .. '\t' .. body
  end
  redis.call('XADD', log, seq .. '-0', 't', time, 'e', event)
  redis.call('PUBLISH', channel, epoch .. '|' .. seq .. '|' .. time .. '|' .. event)
  there[kind .. subject] = seq
  seqs[(at - first_event) / parts + 1] = last - #new + i
  local pairs_of_hour = remembered[seen] or {}
  remembered[seen] = pairs_of_hour
  pairs_of_hour[#pairs_of_hour + 1] = kind .. subject
  pairs_of_hour[#pairs_of_hour + 1] = seq
end
for seen, ids in pairs(remembered) do
  redis.call('HSET', seen, unpack(ids))
  redis.call('PEXPIRE', seen, retention)
end

-- Events leave the log before their ids are forgotten, else a late delete could not find its status. An hour's worth leaves at once, so this search is rare.
local trimmed = redis.call('XTRIM', log, 'MAXLEN', '~', log_max)
local oldest = redis.call('XRANGE', log, '-', '+', 'COUNT', 1)[1]
if tonumber(oldest[2][2]) < now - retention then
  local low, high = tonumber(redis.call('GET', floor_key)), last
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
return seqs
