#!lua flags=allow-oom
--[[
  pause - pause a lane of one shard, or resume it: fetch takes nothing from a paused lane

  KEYS[1]  queue:{s}:stats  HASH  paused: '<lane>=<epoch ms of the pause> ' for each paused lane; absent when there is none
  ARGV[1]  now              epoch ms, empty = the server's clock
  ARGV[2]  lane
  ARGV[3]  pause            '1' = pause, '0' = resume

  Returns  1 when the lane was in the other state before, else 0: a lane that is paused again keeps the time of its pause
]]
--#include now
local stats, lane = KEYS[1], ARGV[2]
local rest, was, others = redis.call('HGET', stats, 'paused') or '', false, ''
for name, since in rest:gmatch('(%l+)=(%d+) ') do
  if name == lane then
    was = true
  else
    others = others .. name .. '=' .. since .. ' '
  end
end
if was == (ARGV[3] == '1') then
  return 0
end
if not was then
  redis.call('HSET', stats, 'paused', others .. lane .. '=' .. string.format('%.0f', now_ms(ARGV[1])) .. ' ')
elseif others == '' then
  redis.call('HDEL', stats, 'paused')
else
  redis.call('HSET', stats, 'paused', others)
end
return 1
