#!lua flags=allow-oom
--[[
  note_master - note which server of a cluster is the master of a shard, and begin a new generation of its homes after a failover

  KEYS[1]   master      STRING  node id of the master that was noted last
  KEYS[2]   generation  STRING  of the homes of the shard, see home_create.lua
  ARGV[1]   id                  node id of the master of the shard
  ARGV[2..] ids                 of the masters from which the shard may have moved with all that it held

  Returns  the new generation; nil when none has begun
  Holds    one generation for each change of the master, however many processes note it. The note is replicated with the data, so that the new master of a failover has that
           of the old one. A shard that has moved from one of the given masters has lost nothing
]]
local master, generation, id = KEYS[1], KEYS[2], ARGV[1]

local last = redis.call('GET', master)
if last == id then
  return false
end
redis.call('SET', master, id)
if not last then
  return false
end
for i = 2, #ARGV do
  if ARGV[i] == last then
    return false
  end
end
return redis.call('INCR', generation)
