#!lua
--[[
  append - give events their places in the order of all events, keep them in the log, in batches, and tell the relays, all at once: what is published comes in the log's order

  KEYS[1]  {bus}:seq             STRING  seq of the newest event
  KEYS[2]  {bus}:epoch           STRING  8 hex characters
  KEYS[3]  {bus}:floor           STRING  from this seq on the log is whole: what it lacks above was taken out because it was deleted
  KEYS[4]  {bus}:log             STREAM  <seq of a batch's last event>-0: t = ms of the append, n = events, b = bytes of all batches up to this one
  KEYS[5]  {bus}:batches         HASH    seq of a batch's last event to its lines, one for each event; an empty line is an event that was taken out. bytes = what all batches had that ever were in the log;
                                         inherited = seq of the newest event that a former epoch appended
  KEYS[6]  {bus}:subjects_from   STRING  {bus}:told-from, ms: of what was made before, nothing is known but what is undone or in the log; absent = everything of the retention is known
  KEYS[7..] {bus}:told:<hour>    HASH    subject to seq, of the hours in which the subjects were made and the statuses that events show; negative = of the event that undid it; 'e' and the
                                         id of a status to '<newest edit> <seqs of its newest edits, commas between>'. Of notifications {bus}:notified:<hour>
  ARGV[1]  channel               where relays listen
  ARGV[2]  epoch                 8 hex characters, for a log that has none
  ARGV[3]  events max            kept in the log, those of a batch more at most
  ARGV[4]  bytes max             kept in the log, those of a batch more at most
  ARGV[5]  retention             ms that a subject is remembered and an event is kept at most
  ARGV[6]  of notifications      the same of their subjects: ms from when a notification was made, since it is told then
  ARGV[7]  now                   ms; empty = the server's TIME
  ARGV[8]  kinds                 a letter for each event (at most 64) in the order in which they come into the log: s status, d delete, f follow, u unfollow, n notification, b block, k unblock, m mute, o unmute, t terms of a follow, e edit, c conversation
  ARGV[9]  of a batch            events in each batch but the last, which may have less
  ARGV[10] shown by              of each event in turn how many other statuses it shows (a digit); empty = none of them shows any
  ARGV[11] runs                  of subjects, see below
  then of each run
  told                           which of KEYS remembers its subjects
  subjects                       how many it has; no run goes on from the events to what they show
  then of each batch
  lines                          one for each event, LF between them: <kind>|<subject>|<actor>|<target>|<visibility>|<match> TAB <json>, without match and TAB where filters have nothing to
                                 look at; a delete takes over the match of its status while the log has that, and those of its edits
  and of each event in turn
  subject                        id of the status, the edge or the edit; of a notification 'n' and its id, since notifications have a counter of their own
  and then of each event in turn
  shown                          the statuses that it shows, as many as it was said; of a notification, conversation or edit first the one that it is about: after the delete of that it does not come any more

  Returns  the seq of each event; 0 = it was there, what undoes it or a later edit was there, or it is so old that nobody remembers; -1 = it would be new but shows what was deleted: it is to be made anew
  Publishes  of each batch <epoch>|<seq of the first>|<ms of the append>|<events>|<kind and subject of the last that was not taken out at once>, and then the lines as they lie in the log; nothing of a batch of which all were
  Holds    what holds when each event has a call of its own: an event gets one seq at most within the retention, or since subjects_from: a status or follow then ever, since it is too old afterwards; a delete or unfollow gets another when its job is
           replayed from the dead letters later than that, which tells clients of what they know. A delete comes after its status and the log has only one of the two; the edits
           of a status come in their order and leave with it; seq goes up by one within an epoch

  Refused when Redis is full (no allow-oom), on purpose: the job that makes sure of the event is held and runs again, so nothing is lost, and the log does not grow then.

  Lua hashes every string that it makes, byte by byte. So a batch comes as it lies in the log and is published like that, and it is taken apart only when one of its lines has to be
  another. Nearly all calls bring nothing but new statuses: what others need is not asked for those.
]]
--#include now
--#include subject_ms
--#include is_new
--#include log_epoch
local seq_key, epoch_key, floor_key, log, batches, subjects_from = unpack(KEYS, 1, 6)
local channel, candidate, events_max, bytes_max = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local retention, of_notifications = tonumber(ARGV[5]), tonumber(ARGV[6])
local now, kinds, of_batch = now_ms(ARGV[7]), ARGV[8], tonumber(ARGV[9])
local shown_by, count, runs, first_run = ARGV[10], #kinds, tonumber(ARGV[11]), 12
local first_lines = first_run + 2 * runs
local first_subject = first_lines + math.ceil(count / of_batch)
local first_shown = first_subject + count
local leaving_max = 200
local edits_max = 10

-- From which ms on subjects are remembered.
local known_from = tonumber(redis.call('GET', subjects_from) or 0)

-- When the hour began in which the subjects were made that this key remembers, ms of Unix time.
local function hour_ms(key)
  return tonumber(string.match(key, '%d+$')) * 3600000
end

-- How long a key remembers its subjects, ms.
local function memory_of(key)
  return string.find(key, ':notified:', 1, true) and of_notifications or retention
end

-- What must be known of subjects before anything is appended, by subject: one question for each run.
local told = {}
local all_new = not string.find(kinds, '[^s]')
-- And which key remembers a subject, where that is asked.
local key_of, asks_keys = {}, string.find(kinds, '[de]')
local at = first_subject
for run = first_run, first_lines - 1, 2 do
  local key, after = KEYS[tonumber(ARGV[run])], at + tonumber(ARGV[run + 1])
  local shown = at >= first_shown
  all_new = all_new and (shown or hour_ms(key) >= known_from and now - hour_ms(key) <= memory_of(key))
  for i, seq in ipairs(redis.call('HMGET', key, unpack(ARGV, at, after - 1))) do
    local subject = ARGV[at + i - 1]
    seq = seq and tonumber(seq)
    if shown then
      all_new = all_new and (seq or 0) >= 0
    else
      all_new = all_new and not seq and told[subject] == nil
    end
    told[subject] = seq
    if asks_keys then
      key_of[subject] = key
    end
  end
  at = after
end

-- What has a place now: the seq of each event, or 0, and what is remembered of its subject; of each batch its new events among those of this call, and the seq of the last of them.
local seqs, remembered, batches_of_call = {}, {}, {}
local epoch, tip, last

local function begin()
  epoch, tip = log_epoch(seq_key, epoch_key, floor_key, log, batches, candidate)
  last = tip
end

-- All of them.
local function take_all()
  begin()
  last = tip + count
  local batch
  for i = 1, count do
    if (i - 1) % of_batch == 0 then
      batch = { came = i, new = {}, last = math.min(tip + i + of_batch - 1, last) }
      batches_of_call[#batches_of_call + 1] = batch
    end
    batch.new[i - batch.came + 1] = i
    seqs[i] = tip + i
  end
  remembered = seqs
end

-- Of each delete which seq its status has, and which its edits have.
local deletes = {}

-- What is remembered of the edits of a status, by its id. Of its newest edits only so many: older ones leave the log, or nobody would find them when the status is deleted.
local edits, leaving_edits = {}, {}

local function edits_of(status)
  local known = edits[status]
  if not known then
    local newest, remembered_seqs =
      string.match(redis.call('HGET', key_of[status], 'e' .. status) or '', '^(%d+) (.*)$')
    known = { newest = tonumber(newest or 0), seqs = {} }
    for seq in string.gmatch(remembered_seqs or '', '%d+') do
      known.seqs[#known.seqs + 1] = tonumber(seq)
    end
    edits[status] = known
  end
  return known
end

local function edited(status, edit, seq)
  local known = edits_of(status)
  known.newest, known.changed = tonumber(edit), true
  known.seqs[#known.seqs + 1] = seq
  if #known.seqs > edits_max then
    leaving_edits[#leaving_edits + 1] = { status = status, seq = table.remove(known.seqs, 1) }
  end
end

-- Which of so many statuses that an event shows is deleted, counted from 1; nil = none.
local function first_gone(at, shows)
  for place = 1, shows do
    if (told[ARGV[at + place - 1]] or 0) < 0 then
      return place
    end
  end
  return nil
end

-- Those that are new.
local function take_new()
  local shown_at = first_shown
  for i = 1, count do
    local kind, subject = string.sub(kinds, i, i), ARGV[first_subject + i - 1]
    local shows = tonumber(string.sub(shown_by, i, i)) or 0
    local gone = first_gone(shown_at, shows)
    local about = kind == 'e' and ARGV[shown_at]
    shown_at = shown_at + shows
    if (i - 1) % of_batch == 0 then
      batches_of_call[#batches_of_call + 1] = { came = i, new = {} }
    end
    local new = is_new(
      kind,
      string.match(subject, '%d+'),
      told[subject],
      now,
      math.min(kind == 'n' and of_notifications or retention, now - known_from)
    )
    new = new and (not about or tonumber(subject) > edits_of(about).newest)
    seqs[i] = new and gone and not ((kind == 'n' or kind == 'e' or kind == 'c') and gone == 1) and -1 or 0
    if new and not gone then
      if not epoch then
        begin()
      end
      last = last + 1
      seqs[i] = last
      local batch = batches_of_call[#batches_of_call]
      batch.new[#batch.new + 1] = i
      batch.last = last
      if kind == 'd' then
        local its_edits = edits_of(subject)
        deletes[#deletes + 1] = {
          batch = #batches_of_call,
          place = #batch.new,
          subject = subject,
          status = told[subject],
          edits = its_edits.seqs,
        }
        its_edits.gone = true
      elseif about then
        edited(about, subject, last)
      end
      told[subject] = undoes[kind] and -last or last
      remembered[i] = told[subject]
    end
  end
end

if all_new then
  take_all()
else
  take_new()
end
if not epoch then
  return seqs
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
  local entry = redis.call('XRANGE', log, string.format('%d-0', seq), '+', 'COUNT', 1)[1]
  local batch = entry and string.match(entry[1], '^%d+')
  local text = batch and not earlier[batch] and redis.call('HGET', batches, batch)
  if text then
    earlier[batch] = lines_of(text)
  end
  local lines = earlier[batch]
  return lines, lines and #lines - (tonumber(batch) - seq)
end

-- Takes out a status or an edit, whose line begins with this pattern; answers what filters looked at of it. The number may be of a former epoch and somebody else's by now: look before
-- taking it out.
local function take_out(beginning, seq)
  local lines, place = find_line(seq)
  local line = lines and lines[place]
  if not line or not string.find(line, beginning) then
    return nil
  end
  lines[place] = ''
  return string.match(line, '^%a|%d+|%d+|%d+|%a+|([^\t]*)\t')
end

local function take_out_edit(status, seq)
  return take_out('^e|%d+|%d+|' .. status .. '|', seq)
end

-- The match of a delete: that of its status, with those of the edits inside. Whoever was told of any of them is told of the delete.
local function match_of(delete)
  local match = delete.status and take_out('^s|' .. delete.subject .. '|', delete.status)
  local others = {}
  for _, seq in ipairs(delete.edits) do
    others[#others + 1] = take_out_edit(delete.subject, seq)
  end
  match = match or table.remove(others)
  return others[1] and string.sub(match, 1, -2) .. ',"e":[' .. table.concat(others, ',') .. ']}' or match
end

for number, batch in ipairs(batches_of_call) do
  if #batch.new < math.min(of_batch, count - batch.came + 1) then
    own_lines(number)
  end
end
for _, delete in ipairs(deletes) do
  local match = match_of(delete)
  if match then
    local lines = own_lines(delete.batch)
    local head, tail = string.match(lines[delete.place], '^(%a|%d+|%d+|%d+|%a+|)(.*)$')
    lines[delete.place] = head .. match .. '\t' .. (string.match(tail, '\t(.*)$') or tail)
  end
end
for _, edit in ipairs(leaving_edits) do
  take_out_edit(edit.status, edit.seq)
end
for batch, lines in pairs(earlier) do
  redis.call('HSET', batches, batch, table.concat(lines, '\n'))
end

-- Lua writes a number as Redis gets it by way of a float's 17 digits; this is quicker.
local function whole(number)
  return string.format('%d', number)
end

local i = 0
for run = first_run, first_lines - 1, 2 do
  local pairs_of_run = {}
  for _ = 1, math.min(tonumber(ARGV[run + 1]), count - i) do
    i = i + 1
    if remembered[i] then
      pairs_of_run[#pairs_of_run + 1] = ARGV[first_subject + i - 1]
      pairs_of_run[#pairs_of_run + 1] = whole(remembered[i])
    end
  end
  if pairs_of_run[1] then
    local key = KEYS[tonumber(ARGV[run])]
    redis.call('HSET', key, unpack(pairs_of_run))
    redis.call('PEXPIRE', key, memory_of(key))
  end
end

for status, known in pairs(edits) do
  local key, field = key_of[status], 'e' .. status
  if known.gone then
    redis.call('HDEL', key, field)
  elseif known.changed then
    local seqs_of_edits = {}
    for place, seq in ipairs(known.seqs) do
      seqs_of_edits[place] = whole(seq)
    end
    redis.call('HSET', key, field, whole(known.newest) .. ' ' .. table.concat(seqs_of_edits, ','))
    redis.call('PEXPIRE', key, retention)
  end
end

-- The newest event of a batch that was not taken out at once.
local function newest_told(batch)
  local place = #batch.new
  while batch.lines and batch.lines[place] == '' do
    place = place - 1
  end
  return batch.new[place]
end

redis.call('SET', seq_key, whole(last))
local bytes = tonumber(redis.call('HGET', batches, 'bytes') or 0)
for number, batch in ipairs(batches_of_call) do
  if batch.last then
    local text = batch.lines and table.concat(batch.lines, '\n') or ARGV[first_lines + number - 1]
    bytes = bytes + #text
    redis.call('XADD', log, whole(batch.last) .. '-0', 't', whole(now), 'n', #batch.new, 'b', whole(bytes))
    redis.call('HSET', batches, whole(batch.last), text, 'bytes', whole(bytes))
    local newest = newest_told(batch)
    if newest then
      redis.call(
        'SPUBLISH',
        channel,
        string.format(
          '%s|%d|%d|%d|%s%s',
          epoch,
          batch.last - #batch.new + 1,
          now,
          #batch.new,
          string.sub(kinds, newest, newest),
          string.match(ARGV[first_subject + newest - 1], '%d+')
        )
      )
      redis.call('SPUBLISH', channel, text)
    end
  end
end

-- Batches leave when there are too many events or bytes after them, and before their subjects are forgotten, else a late delete could not find its status. So many at most
-- leave at once that Redis is not kept from others for long.
local leaving, full = {}, true
while full do
  local after = leaving[1] and '(' .. leaving[#leaving] .. '-0' or '-'
  for _, oldest in ipairs(redis.call('XRANGE', log, after, '+', 'COUNT', #batches_of_call)) do
    local seq = string.match(oldest[1], '^%d+')
    local left = last - tonumber(seq)
    full = left > 0
      and #leaving < leaving_max
      and (
        left >= events_max
        or bytes - tonumber(oldest[2][6]) >= bytes_max
        or tonumber(oldest[2][2]) < now - retention
      )
    if not full then
      break
    end
    leaving[#leaving + 1] = seq
  end
end
if leaving[1] then
  redis.call('XDEL', log, unpack(leaving))
  redis.call('HDEL', batches, unpack(leaving))
  redis.call('SET', floor_key, whole(tonumber(leaving[#leaving]) + 1))
end
return seqs
