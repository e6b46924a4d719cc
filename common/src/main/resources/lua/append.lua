#!lua
--[[
  append - give events their places in the order of all events, keep them in the log and tell the relays, all at once: what is published comes in the log's order

  KEYS[1]  {bus}:seq             STRING  seq of the newest event
  KEYS[2]  {bus}:epoch           STRING  8 hex characters
  KEYS[3]  {bus}:floor           STRING  from this seq on the log is whole: what it lacks above was taken out because it was deleted
  KEYS[4]  {bus}:log             STREAM  <seq>-0: t = ms of the append, e = the event
  KEYS[5]  {bus}:oldest          STRING  ms of the append of the oldest event, or earlier
  KEYS[6..] {bus}:seen:<hour>    HASH    event id to seq, of the hours in which the subjects were made and the statuses that notifications are about; each once
  ARGV[1]  channel               where relays listen
  ARGV[2]  epoch                 8 hex characters, for a log that has none
  ARGV[3]  log max               events kept (about)
  ARGV[4]  retention             ms that an event id is remembered and an event is kept at most
  ARGV[5]  now                   ms; empty = the server's TIME
  and of each event (at most 64), in the order in which they come into the log, from ARGV[6] on:
  id                             kind (s status, d delete, f follow, u unfollow, n notification, b block, k unblock, m mute, o unmute) and subject: id of the status, edge or notification
  event                          <kind>|<subject>|<actor>|<target>|<visibility>|<match> TAB <json>, without match and TAB where filters have nothing to look at; a delete
                                 takes over the match of its status while the log has that
  seen                           which of KEYS is of the subject's hour
  bar                            id of the event after which this one does not come any more: its undoing, or the delete of what a notification shows; empty = none
  bar seen                       which of KEYS is of its hour

  Returns  the seq of each event; 0 = it was there, its bar was there, or it is so old that nobody remembers
  Publishes  <epoch>|<seq of the first>|<ms of the append>|<id>,<id>..., and then each event as it lies in the log
  Holds    what holds when each event has a call of its own: an event id gets one seq at most within the retention: a status or follow then ever, since it is too old afterwards; a delete or unfollow gets another when its job is
           replayed from the dead letters later than that, which tells clients of what they know. A delete comes after its status and the log has only one of the two; seq goes up
           by one within an epoch

  Refused when Redis is full (no allow-oom), on purpose: the job that makes sure of the event is held and runs again, so nothing is lost, and the log does not grow then.

  Lua hashes every string that it makes, byte by byte: 2 us for an event. So an event comes as it lies in the log and is published like that; no string is made of it.
]]
--#include now
--#include subject_ms
--#include log_epoch
local seq_key, epoch_key, floor_key, log, oldest_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local channel, candidate, log_max, retention, now = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), now_ms(ARGV[5])
local first_event, parts = 6, 5
local undoes = { d = true, u = true, k = true, o = true }

-- The seq of each event that was there before, and true or the seq for those of this call, by event id.
local there = {}

-- What must be known of other events before one is appended: one question for each hour.
local asked = {}
local function ask(seen, id)
  local ids = asked[seen] or {}
  asked[seen] = ids
  ids[#ids + 1] = id
end
for at = first_event, #ARGV, parts do
  ask(ARGV[at + 2], ARGV[at])
  if ARGV[at + 3] ~= '' then
    ask(ARGV[at + 4], ARGV[at + 3])
  end
end
for seen, ids in pairs(asked) do
  local found = redis.call('HMGET', KEYS[tonumber(seen)], unpack(ids))
  for i, id in ipairs(ids) do
    there[id] = found[i] or nil
  end
end

-- Status and follow are as old as their subject, so one that is older than the memory of ids can only be a repetition. Delete and unfollow may come at any age: to
-- tell them twice after days does no harm, not to tell them would.
local function is_new(id, bar)
  return not there[id] and not there[bar] and (undoes[string.sub(id, 1, 1)] or now - subject_ms(string.sub(id, 2)) <= retention)
end

-- Takes the status of a delete out of the log; answers what filters looked at of it, nil when that is not known.
local function take_out(subject, seen)
  local status = 's' .. subject
  local seq = there[status] or redis.call('HGET', seen, status)
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
  if is_new(ARGV[at], ARGV[at + 3]) then
    there[ARGV[at]] = true
    new[#new + 1] = at
  end
end
if #new == 0 then
  return seqs
end

local epoch = log_epoch(seq_key, epoch_key, floor_key, log, candidate)
local last = redis.call('INCRBY', seq_key, #new)
local time = string.format('%.0f', now)
local ids = {}
for i, at in ipairs(new) do
  ids[i] = ARGV[at]
end
redis.call('PUBLISH', channel, epoch .. '|' .. string.format('%.0f', last - #new + 1) .. '|' .. time .. '|' .. table.concat(ids, ','))
local remembered = {}
for i, at in ipairs(new) do
  local id, event, seen = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  local seq = string.format('%.0f', last - #new + i)
  local match = string.sub(id, 1, 1) == 'd' and take_out(string.sub(id, 2), KEYS[tonumber(seen)])
  if match then
    local head, tail = string.match(event, '^(%a|%d+|%d+|%d+|%a+|)(.*)$')
    local body = string.match(tail, '\t(.*)$') or tail
    event = head .. match .. '\t' .. body
  end
  redis.call('XADD', log, seq .. '-0', 't', time, 'e', event)
  redis.call('PUBLISH', channel, event)
  there[id] = seq
  seqs[(at - first_event) / parts + 1] = last - #new + i
  local pairs_of_hour = remembered[seen] or {}
  remembered[seen] = pairs_of_hour
  pairs_of_hour[#pairs_of_hour + 1] = id
  pairs_of_hour[#pairs_of_hour + 1] = seq
end
for seen, ids in pairs(remembered) do
  redis.call('HSET', KEYS[tonumber(seen)], unpack(ids))
  redis.call('PEXPIRE', KEYS[tonumber(seen)], retention)
end

-- Events leave the log before their ids are forgotten, else a late delete could not find its status. An hour's worth leaves at once, so this search is rare; and to look at the
-- oldest event costs as much as to append one, so its time is kept beside.
local trimmed = redis.call('XTRIM', log, 'MAXLEN', '~', log_max)
local oldest = redis.call('GET', oldest_key)
if trimmed == 0 and oldest and tonumber(oldest) >= now - retention then
  return seqs
end
local function time_at(from)
  return tonumber(redis.call('XRANGE', log, from, '+', 'COUNT', 1)[1][2][2])
end
if time_at('-') < now - retention then
  local low, high = tonumber(redis.call('GET', floor_key)), last
  while low < high do
    local middle = math.floor((low + high) / 2)
    if time_at(string.format('%.0f-0', middle)) < now - retention + 3600000 then
      low = middle + 1
    else
      high = middle
    end
  end
  trimmed = trimmed + redis.call('XTRIM', log, 'MINID', string.format('%.0f-0', low))
end
local first = redis.call('XRANGE', log, '-', '+', 'COUNT', 1)[1]
redis.call('SET', oldest_key, first[2][2])
if trimmed > 0 then
  redis.call('SET', floor_key, string.match(first[1], '^%d+'))
end
return seqs
