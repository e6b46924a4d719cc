#!lua flags=allow-oom
--[[
  site_blocks_change - change the blocks of the site, if nobody else has changed them since they were read

  KEYS[1]  {moderation}:blocks  HASH  version, id of a block to the block
  ARGV[1]  read                 the version that was read; 0 = none
  ARGV[2]  version              the next one
  ARGV[3]  removed              number of ids that follow
  ARGV[4..]                     removed ids, then ids and blocks in turn

  Returns  1 = changed, 0 = another version is there
  Holds    a version is never used for two lists, and no id for two blocks
]]
local blocks = KEYS[1]
local read, version, removed = ARGV[1], ARGV[2], tonumber(ARGV[3])
if (redis.call('HGET', blocks, 'version') or '0') ~= read then
  return 0
end
for i = 4, 3 + removed do
  redis.call('HDEL', blocks, ARGV[i])
end
for i = 4 + removed, #ARGV, 2 do
  redis.call('HSET', blocks, ARGV[i], ARGV[i + 1])
end
redis.call('HSET', blocks, 'version', version)
return 1
