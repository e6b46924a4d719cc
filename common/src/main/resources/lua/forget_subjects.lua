#!lua flags=allow-oom
--[[
  forget_subjects - forget some of what the event log remembers of the subjects of one hour: those whose events have left the log and were not undone

  KEYS[1]  {bus}:told:<hour>  HASH    see append.lua; or {bus}:notified:<hour>
  KEYS[2]  {bus}:subjects_from STRING  ms, see append.lua
  KEYS[3]  {bus}:floor        STRING  from this seq on the log is whole
  ARGV[1]  cursor             0 begins
  ARGV[2]  from               ms: the end of the hour
  ARGV[3]  life               ms that subjects_from is kept

  Returns  {next cursor, 0 = the hour is through; how many were forgotten}
  Holds    what is forgotten is taken for a repetition from then on; a delete still finds its status and edits while the log has them, and what was deleted stays known as such
]]
--#include subject_ms
local told, subjects_from, floor = KEYS[1], KEYS[2], tonumber(redis.call('GET', KEYS[3]) or 1)
local cursor, from = ARGV[1], tonumber(ARGV[2])
if tonumber(redis.call('GET', subjects_from) or 0) < from then
  redis.call('SET', subjects_from, ARGV[2], 'PX', ARGV[3])
end
local page = redis.call('HSCAN', told, cursor, 'COUNT', 500)
local gone = {}
for i = 1, #page[2], 2 do
  local field, value = page[2][i], page[2][i + 1]
  local newest_edit, seqs = string.match(value, '^(%d+) (.*)$')
  local kept = newest_edit and subject_ms(newest_edit) >= from or not newest_edit and tonumber(value) < 0
  for seq in string.gmatch(seqs or value, '%d+') do
    kept = kept or tonumber(seq) >= floor
  end
  if not kept then
    gone[#gone + 1] = field
  end
end
if gone[1] then
  redis.call('HDEL', told, unpack(gone))
end
return { page[1], #gone }
