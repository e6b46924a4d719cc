#!lua flags=allow-oom
--[[
  mend_account - set the counters of an account to what they count, and its outbox to the newest part of its profile; let readers pull it if its dial says so

  KEYS[1]  user       HASH  of the account
  KEYS[2]  followers  ZSET  of the account
  KEYS[3]  following  ZSET  of the account
  KEYS[4]  profile    ZSET  of the account
  KEYS[5]  outbox     ZSET  of the account
  KEYS[6]  pulled_authors  ZSET  of the shard
  KEYS[7]  archived   HASH  of the shard, see lib/archived.lua
  KEYS[8]  ids        STRING  last id of the shard
  ARGV[1]  outbox_max
  ARGV[2]  account
  ARGV[3]  shard

  Returns  1, or 0 when there is no such account
  Holds    reads and sets in one step, so that it undoes nothing that comes meanwhile; makes no account
]]
--#include now
--#include next_id
--#include mend_lists
local user, followers, following, profile, outbox, pulled_authors, archived, ids = unpack(KEYS)
if not redis.call('HGET', user, 'state') then
  return 0
end
redis.call('HSET', user, 'followers', redis.call('ZCARD', followers), 'following', redis.call('ZCARD', following))
mend_lists(user, profile, outbox, tonumber(ARGV[1]), archived, ARGV[2])
if redis.call('HEXISTS', user, 'dial') == 1 then
  -- With a new id, since readers look for what is above those that they have seen.
  redis.call('ZADD', pulled_authors, next_id(ids, tonumber(ARGV[3]), now_ms('')), ARGV[2])
else
  redis.call('ZREM', pulled_authors, ARGV[2])
end
return 1
