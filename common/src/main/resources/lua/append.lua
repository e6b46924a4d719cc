#!lua
--[[
  append - give events their places in the order of all events, keep them in the log, in batches, and tell the relays, all at once: what is published comes in the log's order

  KEYS[1]  {bus}:seq             STRING  seq of the newest event
  KEYS[2]  {bus}:epoch           STRING  8 hex characters
  KEYS[3]  {bus}:floor           STRING  from this seq on the log is whole: what it lacks above was taken out because it was deleted
  KEYS[4]  {bus}:log             STREAM  <seq of a batch's last event>-0: t = ms of the append, n = events, b = bytes of all batches up to this one
  KEYS[5]  {bus}:batches         HASH    seq of a batch's last event to its lines, one for each event; an empty line is an event that was taken out. bytes = what all batches had that ever were in the log
  KEYS[6..] {bus}:told:<hour>    HASH    subject to seq, of the hours in which the subjects were made and the statuses that notifications are about; negative = of the event that undid it
  ARGV[1]  channel               where relays listen
  ARGV[2]  epoch                 8 hex characters, for a log that has none
  ARGV[3]  events max            kept in the log, those of a batch more at most
  ARGV[4]  bytes max             kept in the log, those of a batch more at most
  ARGV[5]  retention             ms that a subject is remembered and an event is kept at most
  ARGV[6]  now                   ms; empty = the server's TIME
  ARGV[7]  kinds                 a letter for each event (at most 64) in the order in which they come into the log: s status, d delete, f follow, u unfollow, n notification, b block, k unblock, m mute, o unmute
  ARGV[8]  of a batch            events in each batch but the last, which may have less
  then of each batch
  lines                          one for each event, LF between them: <kind>|<subject>|<actor>|<target>|<visibility>|<match> TAB <json>, without match and TAB where filters have nothing to
                                 look at; a delete takes over the match of its status while the log has that
  and of each event in turn
  subject                        id of the status, edge or notification
  told                           which of KEYS is of the subject's hour
  and then of each notification in turn:
  about                          the status that it shows: after the delete of that it does not come any more; 0 = none
  about told                     which of KEYS is of its hour

  Returns  the seq of each event; 0 = it was there, what undoes it was there, or it is so old that nobody remembers
  Publishes  of each batch <epoch>|<seq of the first>|<ms of the append>|<events>|<kind and subject of the last that was not taken out at once>, and then the lines as they lie in the log; nothing of a batch of which all were
  Holds    what holds when each event has a call of its own: an event gets one seq at most within the retention: a status or follow then ever, since it is too old afterwards; a delete or unfollow gets another when its job is
           replayed from the dead letters later than that, which tells clients of what they know. A delete comes after its status and the log has only one of the two; seq goes up
           by one within an epoch

  Refused when Redis is full (no allow-oom), on purpose: the job that makes sure of the event is held and runs again, so nothing is lost, and the log does not grow then.

  Lua hashes every string that it makes, byte by byte: 2 us for an event. So a batch comes as it lies in the log and is published like that,
  and it is taken apart only when one of its lines has to be another.
]]
--#include now
--#include subject_ms
--#include is_new
--#include log_epoch
local seq_key, epoch_key, floor_key, log, batches = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local channel, candidate, events_max, bytes_max = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local retention, now, kinds, of_batch = tonumber(ARGV[5]), now_ms(ARGV[6]), ARGV[7], tonumber(ARGV[8])
local count = #kinds
local first_lines, leaving_max = 9, 200
local first_pair = first_lines + math.ceil(count / of_batch)

-- What must be known of subjects before anything is appended, by subject: one question for each hour.
local told = {}
local asked = {}
for at = first_pair, #ARGV, 2 do
  local subjects = asked[ARGV[at + 1]] or {}
  asked[ARGV[at + 1]] = subjects
  subjects[#subjects + 1] = ARGV[at]
end
for hour, subjects in pairs(asked) do
  local found = redis.call('HMGET', KEYS[tonumber(hour)], unpack(subjects))
  for i, subject in ipairs(subjects) do
    told[subject] = found[i] and tonumber(found[i])
  end
end

local function lines_of(text)
  local lines, from = {}, 1
  repeat
    local lf = string.find(text, '\n', from, true)
    lines[#lines + 1] = string.sub(text, from, (lf or 0) - 1)
    from = (lf or 0) + 1
  until not lf
  return lines
end

-- What has a place now: of each batch its new events among those of this call, and of each delete which seq its status has.
local batches_of_call, seqs, deletes = {}, {}, {}
local epoch, tip, last
local about_at = first_pair + 2 * count
for i = 1, count do
  local kind, subject, about = string.sub(kinds, i, i), ARGV[first_pair + 2 * i - 2], nil
  if kind == 'n' then
    about = ARGV[about_at]
    about_at = about_at + 2
  end
  if (i - 1) % of_batch == 0 then
    batches_of_call[#batches_of_call + 1] = { came = i, new = {} }
  end
  seqs[i] = 0
  local shown_is_gone = (told[about] or 0) < 0
  if not shown_is_gone and is_new(kind, subject, told[subject], now, retention) then
    if not epoch then
      epoch, tip = log_epoch(seq_key, epoch_key, floor_key, log, batches, candidate)
      last = tip
    end
    last = last + 1
    seqs[i] = last
    local batch = batches_of_call[#batches_of_call]
    batch.new[#batch.new + 1] = i
    batch.last = last
    if kind == 'd' then
      deletes[#deletes + 1] = { batch = #batches_of_call, place = #batch.new, subject = subject, status = told[subject] }
    end
    told[subject] = undoes[kind] and -last or last
  end
end
if not epoch then
  return seqs
end

-- Of a batch of this call its lines, apart because one of them is not as it came.
local function own_lines(number)
  local batch = batches_of_call[number]
  if not batch.lines then
    local came = lines_of(ARGV[first_lines + number - 1])
    batch.lines = {}
    for place, i in ipairs(batch.new) do
      batch.lines[place] = came[i - batch.came + 1]
    end
  end
  return batch.lines
end

-- The same of earlier batches that a status is taken out of, by seq of the last event.
local earlier = {}

-- The lines that the event of this number is one of, and its place among them.
local function find_line(seq)
  if seq > tip then
    for number, batch in ipairs(batches_of_call) do
      if batch.last and batch.last >= seq then
        return own_lines(number), seq - (batch.last - #batch.new)
      end
    end
  end
  local entry = redis.call('XRANGE', log, string.format('%.0f-0', seq), '+', 'COUNT', 1)[1]
  local batch = entry and string.match(entry[1], '^%d+')
  local text = batch and not earlier[batch] and redis.call('HGET', batches, batch)
  if text then
    earlier[batch] = lines_of(text)
  end
  local lines = earlier[batch]
  return lines, lines and #lines - (tonumber(batch) - seq)
end

-- Takes a status out; answers what filters looked at of it. The number may be of a former epoch and somebody else's by now: look before taking it out.
local function take_out(subject, seq)
  local lines, place = find_line(seq)
  local line = lines and lines[place]
  if not line or string.find(line, 's|' .. subject .. '|', 1, true) ~= 1 then
    return nil
  end
  lines[place] = ''
  return string.match(line, '^s|%d+|%d+|%d+|%a+|([^\t]*)\t')
end

for number, batch in ipairs(batches_of_call) do
  if #batch.new < math.min(of_batch, count - batch.came + 1) then
    own_lines(number)
  end
end
for _, delete in ipairs(deletes) do
  local match = delete.status and take_out(delete.subject, delete.status)
  if match then
    local lines = own_lines(delete.batch)
    local head, tail = string.match(lines[delete.place], '^(%a|%d+|%d+|%d+|%a+|)(.*)$')
    lines[delete.place] = head .. match .. '\t' .. (string.match(tail, '\t(.*)$') or tail)
  end
end
for batch, lines in pairs(earlier) do
  redis.call('HSET', batches, batch, table.concat(lines, '\n'))
end

local remembered = {}
for i = 1, count do
  if seqs[i] > 0 then
    local subject, hour = ARGV[first_pair + 2 * i - 2], ARGV[first_pair + 2 * i - 1]
    local subjects = remembered[hour] or {}
    remembered[hour] = subjects
    subjects[#subjects + 1] = subject
    subjects[#subjects + 1] = told[subject]
  end
end
for hour, subjects in pairs(remembered) do
  redis.call('HSET', KEYS[tonumber(hour)], unpack(subjects))
  redis.call('PEXPIRE', KEYS[tonumber(hour)], retention)
end

-- The newest event of a batch that was not taken out at once.
local function newest_told(batch)
  local place = #batch.new
  while batch.lines and batch.lines[place] == '' do
    place = place - 1
  end
  return batch.new[place]
end

redis.call('SET', seq_key, last)
local bytes = tonumber(redis.call('HGET', batches, 'bytes') or 0)
for number, batch in ipairs(batches_of_call) do
  if batch.last then
    local text = batch.lines and table.concat(batch.lines, '\n') or ARGV[first_lines + number - 1]
    bytes = bytes + #text
    redis.call('XADD', log, string.format('%.0f-0', batch.last), 't', now, 'n', #batch.new, 'b', bytes)
    redis.call('HSET', batches, batch.last, text, 'bytes', bytes)
    local newest = newest_told(batch)
    if newest then
      redis.call('PUBLISH', channel, string.format('%s|%.0f|%.0f|%.0f|%s%s', epoch, batch.last - #batch.new + 1, now, #batch.new,
        string.sub(kinds, newest, newest), ARGV[first_pair + 2 * newest - 2]))
      redis.call('PUBLISH', channel, text)
    end
  end
end

-- Batches leave when there are too many events or bytes after them, and before their subjects are forgotten, else a late delete could not find its status. So many at most
-- leave at once that Redis is not kept from others for long.
local floor
for _ = 1, leaving_max do
  local oldest = redis.call('XRANGE', log, '-', '+', 'COUNT', 1)[1]
  local leaving = tonumber(string.match(oldest[1], '^%d+'))
  local kept = last - leaving < events_max and bytes - tonumber(oldest[2][6]) < bytes_max and tonumber(oldest[2][2]) >= now - retention
  if kept or leaving == last then
    break
  end
  redis.call('XDEL', log, oldest[1])
  redis.call('HDEL', batches, leaving)
  floor = leaving + 1
end
if floor then
  redis.call('SET', floor_key, floor)
end
return seqs
