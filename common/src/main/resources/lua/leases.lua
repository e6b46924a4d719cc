#!lua flags=no-writes
--[[
  leases - which batches are being worked on, and until when

  KEYS[1]  queue:{s}:leases  ZSET  batch by deadline, epoch ms
  ARGV[1]  max               batches to answer

  Returns  {name of a batch, its deadline, ...}, those that end first
]]
return redis.call('ZRANGE', KEYS[1], 0, ARGV[1] - 1, 'WITHSCORES')
