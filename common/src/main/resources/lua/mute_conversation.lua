#!lua
--[[
  mute_conversation - a conversation that an account wants to hear of no more

  KEYS[1]  user   HASH    of the account
  KEYS[2]  muted  ZSET    of the account: status id by edge id
  KEYS[3]  ids    STRING  last id of the shard
  ARGV[1]  now            ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard          of the account
  ARGV[3]  conversation   the status with which it began
  ARGV[4]  max            conversations kept: the ones muted last

  Returns  the edge, new or not; '0' without an active account
]]
--#include now
--#include next_id
local user, muted, ids = unpack(KEYS)
local now, shard, conversation, max = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])

local edge = redis.call('ZSCORE', muted, conversation)
if edge then
  return edge
end
if redis.call('HGET', user, 'state') ~= 'active' then
  return '0'
end
edge = next_id(ids, shard, now)
redis.call('ZADD', muted, edge, conversation)
redis.call('ZREMRANGEBYRANK', muted, 0, -max - 1)
return edge
