#!lua
--[[
  held_add - keep a post that waits for a moderator, with the job that looks after it

  KEYS[1]  user       HASH    of the author
  KEYS[2]  ids        STRING  last id of the shard
  KEYS[3]  held       ZSET    of the author: id by itself
  KEYS[4]  words      HASH    of the author: id to '<signal> <digest> <due> <json>', see Keys.heldWords
  KEYS[5]  timers     ZSET    of the shard
  KEYS[6]  uploads    HASH    of the author: media id to line
  KEYS[7]  media_due  ZSET    of the shard
  ARGV[1]  now                ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard
  ARGV[3]  author
  ARGV[4]  signal             by which it waits
  ARGV[5]  digest             hash of the request
  ARGV[6]  due                ms at which its author wants it published; 0 = at once
  ARGV[7]  json               what is to be published, as ScheduledCodec writes it
  ARGV[8]  media              ids of uploads that it takes over, with spaces between
  ARGV[9]  max                that may wait of an account
  ARGV[10] look               ms until the job makes sure that moderators see it

  Returns  {'held', id}; {'repeated', id} when the same request waits; {'inactive'} without an active account; {'full'} at the limit; {'media'} when an upload is not there any more
  Holds    what waits has its words and its job from the same moment on; its pictures are neither uploads nor due to be deleted
]]
--#include now
--#include next_id
--#include enqueue
--#include timers
--#include take_uploads
local user, ids, held, words, timers, uploads, media_due = unpack(KEYS)
local now, shard, author, digest = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[5]

local earlier = redis.call('HGET', words, '=' .. digest)
if earlier then
  return { 'repeated', earlier }
end
if redis.call('HGET', user, 'state') ~= 'active' then
  return { 'inactive' }
end
if redis.call('ZCARD', held) >= tonumber(ARGV[9]) then
  return { 'full' }
end
if not take_uploads(uploads, media_due, author, ARGV[8]) then
  return { 'media' }
end

local id = next_id(ids, shard, now)
redis.call('ZADD', held, id, id)
redis.call('HSET', words, id, table.concat({ ARGV[4], digest, ARGV[6], ARGV[7] }, ' '), '=' .. digest, id)
redis.call('ZADD', timers, string.format('%.0f', now + tonumber(ARGV[10])), held_job(author, id))
return { 'held', id }
