#!lua
--[[
  schedule - keep a status that is to be published later, with the job that publishes it

  KEYS[1]  user       HASH    of the author
  KEYS[2]  ids        STRING  last id of the shard
  KEYS[3]  scheduled  ZSET    of the author: id by the ms at which it is to be published
  KEYS[4]  words      HASH    of the author: id to what is to be published, as JSON
  KEYS[5]  timers     ZSET    of the shard: job by the ms at which it is to be started
  KEYS[6]  uploads    HASH    of the author: media id to line
  KEYS[7]  media_due  ZSET    of the shard
  KEYS[8]  idem       STRING  '<id> <hash of what was asked>'; absent when the caller gave no Idempotency-Key
  ARGV[1]  now                ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard
  ARGV[3]  author
  ARGV[4]  due                ms at which it is to be published
  ARGV[5]  json               what is to be published, with the lines of its pictures
  ARGV[6]  media              ids of uploads that it takes over, with spaces between
  ARGV[7]  ahead              ms that due is ahead at least
  ARGV[8]  max                that an account may have scheduled
  ARGV[9]  day_max            of these, for one day
  ARGV[10] day                ms at which the day of due begins
  ARGV[11] digest             hash of the request; empty when KEYS[8] is absent
  ARGV[12] idem_ttl           seconds

  Returns  {'scheduled', id}; {'repeated', id} for the same key and request; {'conflict'} for the same key with another request; {'inactive'} without an active account; {'soon'} when due is
           too near; {'full'} and {'day'} at the limits; {'media'} when an upload is not there any more
  Holds    what is scheduled has its words and its job from the same moment on; its pictures are neither uploads nor due to be deleted
]]
--#include now
--#include next_id
--#include enqueue
--#include timers
--#include take_uploads
local user, ids, scheduled, words, timers, uploads, media_due, idem = unpack(KEYS)
local now, shard, author, due, json = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]

if idem then
  local record = redis.call('GET', idem)
  if record then
    local id, digest_then = string.match(record, '^(%d+) (.*)$')
    return digest_then == ARGV[11] and { 'repeated', id } or { 'conflict' }
  end
end
if redis.call('HGET', user, 'state') ~= 'active' then
  return { 'inactive' }
end
if tonumber(due) < now + tonumber(ARGV[7]) then
  return { 'soon' }
end
if redis.call('ZCARD', scheduled) >= tonumber(ARGV[8]) then
  return { 'full' }
end
if on_day(scheduled, ARGV[10]) >= tonumber(ARGV[9]) then
  return { 'day' }
end

if not take_uploads(uploads, media_due, author, ARGV[6]) then
  return { 'media' }
end

local id = next_id(ids, shard, now)
redis.call('ZADD', scheduled, due, id)
redis.call('HSET', words, id, json)
redis.call('ZADD', timers, due, publish_job(author, id, due))
if idem then
  redis.call('SET', idem, id .. ' ' .. ARGV[11], 'EX', ARGV[12])
end
return { 'scheduled', id }
