#!lua flags=allow-oom
--[[
  appeal_decide - approve or reject the appeal against a warning, once

  KEYS[1]  warnings  HASH  of the account, see Warnings.java
  ARGV[1]  id        of the warning
  ARGV[2]  decision  approved or rejected

  Returns  'decided'; 'same' when it was decided so before; 'other' when it was decided otherwise; 'absent' when there is no appeal
  Holds    a decision stays; the act of a warning that is overturned is no repetition when it comes again
]]
local warnings, id, decision = KEYS[1], ARGV[1], ARGV[2]

local appeal, warning = unpack(redis.call('HMGET', warnings, id .. '.appeal', id))
if not appeal or not warning then
  return 'absent'
end
local state, rest = string.match(appeal, '^(%l+) (.*)$')
if state == decision then
  return 'same'
end
if state ~= 'pending' then
  return 'other'
end
redis.call('HSET', warnings, id .. '.appeal', decision .. ' ' .. rest)
local of = '=' .. cjson.decode(warning).same
if decision == 'approved' and redis.call('HGET', warnings, of) == id then
  redis.call('HDEL', warnings, of)
end
return 'decided'
