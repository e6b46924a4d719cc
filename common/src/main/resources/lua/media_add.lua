#!lua
--[[
  media_add - keep a picture that somebody has uploaded

  KEYS[1]  user       HASH    of the owner
  KEYS[2]  ids        STRING  last id of the shard
  KEYS[3]  uploads    HASH    of the owner: media id to line
  KEYS[4]  media_due  ZSET    of the shard
  ARGV[1]  now                ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard
  ARGV[3]  owner
  ARGV[4]  name               of the file
  ARGV[5]  line               that the record has behind its id
  ARGV[6]  life               ms until it is deleted unless it is posted
  ARGV[7]  max                uploads that may wait to be posted

  Returns  {'added', id}; {'inactive'} without an active account; {'full'} at the limit
  Holds    each record has its entry in media_due
]]
--#include now
--#include next_id
local user, ids, uploads, media_due = unpack(KEYS)
local now, shard, owner, name, line = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]

if redis.call('HGET', user, 'state') ~= 'active' then
  return {'inactive'}
end
if redis.call('HLEN', uploads) >= tonumber(ARGV[7]) then
  return {'full'}
end
local id = next_id(ids, shard, now)
redis.call('HSET', uploads, id, id .. ' ' .. line)
redis.call('ZADD', media_due, string.format('%.0f', now + tonumber(ARGV[6])), name .. ' ' .. owner .. ' ' .. id)
return {'added', id}
