#!lua flags=allow-oom
--[[
  raise_shards - the last step of a run that raises the number of shards, or gives that up

  KEYS[1]  meta  HASH
  ARGV[1]  mark of the run
  ARGV[2]  number of shards; '' = it stays

  Returns  1; 0 when the mark is another one or gone, or the number is not higher: then nothing is changed
  Holds    the number of shards never falls, and of two runs at once one decides
]]
local meta, mark, shards = KEYS[1], ARGV[1], ARGV[2]

if redis.call('HGET', meta, 'raising') ~= mark then
  return 0
end
if shards ~= '' then
  if tonumber(redis.call('HGET', meta, 'shards')) >= tonumber(shards) then
    return 0
  end
  redis.call('HSET', meta, 'shards', shards)
end
redis.call('HDEL', meta, 'raising')
return 1
