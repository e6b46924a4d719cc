#!lua
--[[
  media_add - keep a picture that somebody has uploaded

  KEYS[1]  user       HASH    of the owner
  KEYS[2]  ids        STRING  last id of the shard
  KEYS[3]  uploads    HASH    of the owner: media id to line
  KEYS[4]  media_due  ZSET    of the shard
  KEYS[5]  media_bytes HASH   of the owner: media id to the bytes of its files, and their sum
  ARGV[1]  now                ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard
  ARGV[3]  owner
  ARGV[4]  name               of the file
  ARGV[5]  line               that the record has behind its id
  ARGV[6]  life               ms until it is deleted unless it is posted
  ARGV[7]  max                uploads that may wait to be posted
  ARGV[8]  bytes              of its files
  ARGV[9]  bytes_max          that the account may have; 0 = any

  Returns  {'added', id}; {'inactive'} without an active account; {'full'} at the limit; {'bytes', sum} when the account would have too many, with those it has
  Holds    each record has its entry in media_due, and its files are counted
]]
--#include now
--#include next_id
--#include media_bytes
local user, ids, uploads, media_due, media_bytes = unpack(KEYS)
local now, shard, owner, name, line = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local bytes = tonumber(ARGV[8])

if redis.call('HGET', user, 'state') ~= 'active' then
  return { 'inactive' }
end
if redis.call('HLEN', uploads) >= tonumber(ARGV[7]) then
  return { 'full' }
end
local fits, sum = has_room(media_bytes, bytes, tonumber(ARGV[9]))
if not fits then
  return { 'bytes', sum }
end
local id = next_id(ids, shard, now)
redis.call('HSET', uploads, id, id .. ' ' .. line)
redis.call('ZADD', media_due, string.format('%.0f', now + tonumber(ARGV[6])), name .. ' ' .. owner .. ' ' .. id)
note_bytes(media_bytes, id, bytes)
return { 'added', id }
