#!lua flags=no-writes
--[[
  home_read - the newest entries of a home, and whose posts its reader is to see, at one instant

  KEYS[1]  home       LIST  see lib/home_rewrite.lua
  KEYS[2]  user       HASH  of the reader
  KEYS[3]  following  ZSET  of the reader: account id by edge id
  KEYS[4]  blocks     ZSET  of the reader: account id by edge id
  KEYS[5]  blockedby  ZSET  likewise
  KEYS[6]  mutes      ZSET  likewise
  KEYS[7]  noreposts  ZSET  likewise
  KEYS[8]  generation  STRING  of the homes of the shard
  KEYS[9]  mute_ends   ZSET  of the reader: account id by the ms at which its mute ends
  KEYS[10] lists       HASH  of the reader: see list_set.lua
  KEYS[11] listed      ZSET  of the reader: see lib/listed.lua
  KEYS[12] followed_tags  ZSET  of the reader: tag by the id of its follow
  KEYS[13] languages   HASH  of the reader: account id to '<edge> <codes>'
  ARGV[1]  wanted           how many of the sorted entries to read, beside all that have come after them
  ARGV[2]  version          of the following set that the caller knows, empty = none
  ARGV[3]  held             most accounts of each of KEYS[4..6] that the caller can do with

  Returns  {floor, index of the first entry read, count, seconds to live, entries, version, followed accounts, {those of KEYS[4..6]}, those of KEYS[7], pulled, now in ms, those of exclusive lists, followed tags, what KEYS[13] has, field fold of the user}; the accounts are nil
           where the caller's version is right or the sets are empty; {} without a complete home of the present generation
  Holds    every id of the home above the lowest that is read is read; mutes that have ended by now are none
]]
--#include now
--#include home_rewrite
--#include muted
--#include listed
--#include left_out
--#include spoken
local home, user, following = KEYS[1], KEYS[2], KEYS[3]
local wanted, known, held = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])

local floor, token, count, generation, pulled = home_head(home)
if not floor or token ~= '' or generation ~= (redis.call('GET', KEYS[8]) or '') then
  return {}
end
local first = math.max(1, count + 1 - wanted)
local said = redis.call('HMGET', user, 'version', 'fold')
local version = said[1] or '0'
local followed, hidden, noreposts, exclusive, languages = false, false, false, false, false
local tags = {}
local now = now_ms('')
if version ~= known then
  noreposts = redis.call('ZRANGE', KEYS[7], 0, -1)
  followed = redis.call('ZRANGE', following, 0, -1)
  exclusive = left_out(KEYS[10], KEYS[11])
  languages = spoken(KEYS[13], following)
end
-- One look for most readers, who have none of these.
if redis.call('EXISTS', KEYS[4], KEYS[5], KEYS[6], KEYS[12]) > 0 then
  hidden = {redis.call('ZRANGE', KEYS[4], 0, held), redis.call('ZRANGE', KEYS[5], 0, held), muted(KEYS[6], KEYS[9], held, now)}
  tags = redis.call('ZRANGE', KEYS[12], 0, -1)
end
local seconds, entries = redis.call('TTL', home), redis.call('LRANGE', home, first, -1)
return {string.format('%.0f', floor), first, count, seconds, entries, version, followed, hidden, noreposts, pulled, string.format('%.0f', now), exclusive, tags, languages, said[2]}
