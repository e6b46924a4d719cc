#!lua
--[[
  raise_begin - mark a data set whose number of shards is about to be raised

  KEYS[1]  meta  HASH
  ARGV[1]  mark of the run

  Returns  1; 0 when the data are moving, have moved or are arriving: then nothing is changed
  Holds    of a raise and a move that begin at once, one goes on: a move looks for this mark after it has made its own
]]
local meta, mark = KEYS[1], ARGV[1]

for _, move in ipairs(redis.call('HMGET', meta, 'moving', 'moved', 'arriving')) do
  if move then
    return 0
  end
end
redis.call('HSET', meta, 'raising', mark)
return 1
