#!lua
--[[
  erasure_facts - how far the erasure of a deleted account is

  KEYS[1]  user    HASH
  KEYS[2]  timers  ZSET  of the shard
  KEYS[3]  dead    ZSET  of the shard's queue: dead letter by time of death
  ARGV[1]  now           ms, empty = the server's clock
  ARGV[2]  account

  Returns  {ms since the deletion; '-1' when the account is not being erased, 1 when its job waits for its time, 1 when a dead letter since the deletion is its job}
]]
--#include now
--#include enqueue
--#include timers
--#include dead
local user, timers, dead = unpack(KEYS)

local state, deleted, erasing = unpack(redis.call('HMGET', user, 'state', 'deleted', 'erasing'))
if state ~= 'deleted' or not deleted or not erasing then
  return { '-1', 0, 0 }
end
local buried = 0
for _, letter in ipairs(redis.call('ZRANGE', dead, deleted, '+inf', 'BYSCORE')) do
  if wanted(letter, 'delete_account', ARGV[2]) then
    buried = 1
    break
  end
end
local waits = redis.call('ZSCORE', timers, erasure_job(ARGV[2])) and 1 or 0
return { string.format('%.0f', math.max(0, now_ms(ARGV[1]) - tonumber(deleted))), waits, buried }
