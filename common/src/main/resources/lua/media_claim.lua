#!lua flags=allow-oom
--[[
  media_claim - make sure that nobody posts an upload whose files are about to be deleted

  KEYS[1]  media_due  ZSET  of the shard
  KEYS[2]  uploads    HASH  of the owner; absent for a picture without a record
  KEYS[3]  media_bytes HASH of the owner: media id to the bytes of its files, and their sum; absent as KEYS[2]
  ARGV[1]  member           of media_due
  ARGV[2]  id               of the upload; absent as KEYS[2]

  Returns  1; 0 when it has been posted meanwhile, so that its files stay
  Holds    the entry stays until the files are gone, so that a crash between the two loses none; the files are counted no more
]]
--#include media_bytes
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  return 0
end
if KEYS[2] then
  redis.call('HDEL', KEYS[2], ARGV[2])
  note_bytes(KEYS[3], ARGV[2], 0)
end
return 1
