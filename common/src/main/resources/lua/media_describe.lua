#!lua
--[[
  media_describe - change description and focus of an upload

  KEYS[1]  uploads  HASH  of the owner: media id to line
  ARGV[1]  id
  ARGV[2]  focus          'x y'; empty = as before
  ARGV[3]  described      1 = ARGV[4] is the new description, 0 = as before
  ARGV[4]  description

  Returns  the line as it is now; nil when there is no such upload
]]
local line = redis.call('HGET', KEYS[1], ARGV[1])
if not line then
  return false
end
local picture, focus, description = string.match(line, '^(%d+ %S+ %S+ %S+ %S+ %d+ %S+) (%S+ %S+) (.*)$')
if not picture then
  return false
end
if ARGV[2] ~= '' then
  focus = ARGV[2]
end
if ARGV[3] == '1' then
  description = ARGV[4]
end
line = picture .. ' ' .. focus .. ' ' .. description
redis.call('HSET', KEYS[1], ARGV[1], line)
return line
