#!lua
--[[
  mute - leaves somebody out of what an account sees

  KEYS[1]  user   HASH    of who mutes
  KEYS[2]  mutes  ZSET    of who mutes: account id by edge id
  KEYS[3]  heard  ZSET    of who mutes: account id by edge id
  KEYS[4]  ids    STRING  last id of the shard
  ARGV[1]  now            ms, empty = the server's clock
  ARGV[2]  shard          of who mutes
  ARGV[3]  muted
  ARGV[4]  max            accounts that one may mute
  ARGV[5]  notifications  1 = notifications of the muted one are left out as well, 0 = they stay

  Returns  {'new', edge}; {'same', edge} when it was muted already, with notifications or without; {'inactive'} without an active account; {'full'} at the limit
  Holds    heard is a part of mutes
]]
--#include now
--#include next_id
local user, mutes, heard, ids = unpack(KEYS)
local now, shard, muted, max, notifications = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4]), ARGV[5]

local edge, word = redis.call('ZSCORE', mutes, muted), 'same'
if not edge then
  if redis.call('HGET', user, 'state') ~= 'active' then
    return {'inactive'}
  end
  if redis.call('ZCARD', mutes) >= max then
    return {'full'}
  end
  edge, word = next_id(ids, shard, now), 'new'
  redis.call('ZADD', mutes, edge, muted)
end
if notifications == '1' then
  redis.call('ZREM', heard, muted)
else
  redis.call('ZADD', heard, edge, muted)
end
return {word, edge}
