#!lua flags=no-writes
--[[
  lapsed - which batches have outlived their lease

  KEYS[1]  queue:{s}:leases  ZSET  batch by deadline, epoch ms
  ARGV[1]  now               epoch ms, empty = the server's clock
  ARGV[2]  max               names to answer

  Returns  names of batches, the longest overdue first
]]
--#include now
return redis.call('ZRANGE', KEYS[1], '-inf', now_ms(ARGV[1]), 'BYSCORE', 'LIMIT', 0, ARGV[2])
