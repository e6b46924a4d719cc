#!lua flags=no-writes
--[[
  home_read - the newest entries of a home, and whose posts its reader is to see, at one instant

  KEYS[1]  home         LIST    see lib/home_head.lua
  KEYS[2]  user         HASH    of the reader
  KEYS[3]  blocks       ZSET    of the reader: account id by edge id
  KEYS[4]  blockedby    ZSET    likewise
  KEYS[5]  mutes        ZSET    likewise
  KEYS[6]  mute_ends    ZSET    of the reader: account id by the ms at which its mute ends
  KEYS[7]  followed_tags  ZSET  of the reader: tag by the id of its follow
  KEYS[8]  generation   STRING  of the homes of the shard
  of a caller that knows no version, the following set, since each key costs Redis a tenth of a microsecond and more:
  KEYS[9]  following    ZSET    of the reader: account id by edge id
  KEYS[10] noreposts    ZSET    likewise
  KEYS[11] lists        HASH    of the reader: see list_set.lua
  KEYS[12] listed       ZSET    of the reader: see lib/listed.lua
  KEYS[13] languages    HASH    of the reader: account id to '<edge> <codes>'
  ARGV[1]  wanted           how many of the sorted entries to read, beside all that have come after them
  ARGV[2]  version          of the following set that the caller knows, empty = none
  ARGV[3]  held             most accounts of each of KEYS[3..5] that the caller can do with
  ARGV[4]  timed            '1' = the caller wants the time
  ARGV[5]  above            the caller wants what lies above this id; 0 = it wants the newest, or pulls authors

  Returns  {head, version, field fold of the user, seconds to live, now in ms, entries, what the caller does not know, what is hidden}, or {} without a complete home of the present generation;
           now is nil unless wanted; the last two are mostly nil, since what every reply has costs a tenth of a microsecond each:
           {followed accounts, those of KEYS[10], those of exclusive lists, what KEYS[13] has}, where the caller's version is not right, and
           {those of KEYS[3], of KEYS[4], of KEYS[5], followed tags}, where there are any.
           {version} when it is not the caller's, who has passed no following set: to be called with it
           {seconds to live, how many entries have come since the home was sorted} when neither the home nor a followed tag can have anything above ARGV[5]
  Holds    every id of the home above the lowest that is read is read; mutes that have ended by now are none
]]
--#include home_head
local home, user, following = KEYS[1], KEYS[2], KEYS[9]
local wanted, known, held, timed, above =
  tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), ARGV[4] == '1', tonumber(ARGV[5])

local floor, token, count, generation, _, head = home_head(home)
if not floor or token ~= '' or generation ~= (redis.call('GET', KEYS[8]) or '') then
  return {}
end
local entries = redis.call('LRANGE', home, math.max(1, count + 1 - wanted), '-1')
if above > 0 and floor <= above then
  local newest = 0
  for i = 1, #entries do
    newest = math.max(newest, tonumber(entries[i]))
  end
  if newest <= above and redis.call('EXISTS', KEYS[7]) == 0 then
    return { redis.call('TTL', home), #entries - math.min(count, wanted) }
  end
end

local said = redis.call('HMGET', user, 'version', 'fold')
local version = said[1] or '0'
if version ~= known and not following then
  return { version }
end

-- Below here, so that a poll without news makes none of these functions.
--#include now
--#include muted
--#include listed
--#include left_out
--#include spoken
local now = timed and now_ms('')
local unknown, hidden = false, false
if version ~= known then
  unknown = {
    redis.call('ZRANGE', following, '0', '-1'),
    redis.call('ZRANGE', KEYS[10], '0', '-1'),
    left_out(KEYS[11], KEYS[12]),
    spoken(KEYS[13], following),
  }
end
-- One look for most readers, who have none of these.
if redis.call('EXISTS', KEYS[3], KEYS[4], KEYS[5], KEYS[7]) > 0 then
  hidden = {
    redis.call('ZRANGE', KEYS[3], '0', held),
    redis.call('ZRANGE', KEYS[4], '0', held),
    muted(KEYS[5], KEYS[6], held, now or now_ms('')),
    redis.call('ZRANGE', KEYS[7], '0', '-1'),
  }
end
return {
  head,
  version,
  said[2],
  redis.call('TTL', home),
  now,
  entries,
  unknown,
  hidden,
}
