#!lua flags=no-writes
--[[
  missing_events - which events are not in the log yet and may still be appended

  KEYS[1]    {bus}:epoch        STRING  8 hex characters
  KEYS[2]    {bus}:subjects_from STRING  see append.lua
  KEYS[2+i]  {bus}:told:<hour>  HASH    see append.lua; of the i-th event's subject; of a notification {bus}:notified:<hour>
  ARGV[1]    retention          ms that a subject is remembered
  ARGV[2]    of notifications   the same of their subjects
  ARGV[3]    now                ms; empty = the server's TIME
  ARGV[3+i]  event id           kind letter and subject

  Returns    {epoch that remembers this, empty = none has begun, {for each event in turn 1 = missing, 0 = append would do nothing}}
]]
--#include now
--#include subject_ms
--#include is_new
local retention, of_notifications, now = tonumber(ARGV[1]), tonumber(ARGV[2]), now_ms(ARGV[3])
local from = tonumber(redis.call('GET', KEYS[2]) or 0)
local missing = {}
for i = 1, #KEYS - 2 do
  local id = ARGV[3 + i]
  local kind, subject = string.sub(id, 1, 1), string.sub(id, 2)
  local told = redis.call('HGET', KEYS[2 + i], kind == 'n' and id or subject)
  missing[i] = is_new(
    kind,
    subject,
    told and tonumber(told),
    now,
    math.min(kind == 'n' and of_notifications or retention, now - from)
  ) and 1 or 0
end
return { redis.call('GET', KEYS[1]) or '', missing }
