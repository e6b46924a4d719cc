#!lua flags=no-writes
--[[
  missing_events - which events are not in the log yet and may still be appended

  KEYS[i]    {bus}:seen:<hour>  HASH  event id to seq, of the i-th event's subject
  ARGV[1]    retention          ms that an event id is remembered
  ARGV[2]    now                ms; empty = the server's TIME
  ARGV[2+i]  event id           kind letter and subject

  Returns    for each event in turn 1 = missing, 0 = append would do nothing
]]
--#include now
--#include subject_ms
local retention, now = tonumber(ARGV[1]), now_ms(ARGV[2])
local missing = {}
for i, seen in ipairs(KEYS) do
  local id = ARGV[2 + i]
  local subject = string.sub(id, 2)
  local undone_by = ({ s = 'd', f = 'u', b = 'k', m = 'o' })[string.sub(id, 1, 1)]
  missing[i] = 1
  if redis.call('HEXISTS', seen, id) == 1 then
    missing[i] = 0
  elseif undone_by and (now - subject_ms(subject) > retention or redis.call('HEXISTS', seen, undone_by .. subject) == 1) then
    missing[i] = 0
  elseif string.sub(id, 1, 1) == 'n' and now - subject_ms(subject) > retention then
    missing[i] = 0
  end
end
return missing
