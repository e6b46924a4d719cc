#!lua flags=allow-oom
--[[
  mend_account - set the counters of an account to what they count, and its outbox to the newest part of its profile

  KEYS[1]  user       HASH  of the account
  KEYS[2]  followers  ZSET  of the account
  KEYS[3]  following  ZSET  of the account
  KEYS[4]  profile    ZSET  of the account
  KEYS[5]  outbox     ZSET  of the account
  ARGV[1]  outbox_max

  Returns  1, or 0 when there is no such account
  Holds    reads and sets in one step, so that it undoes nothing that comes meanwhile; makes no account
]]
--#include mend_lists
local user, followers, following, profile, outbox = unpack(KEYS)
if not redis.call('HGET', user, 'state') then
  return 0
end
redis.call('HSET', user, 'followers', redis.call('ZCARD', followers), 'following', redis.call('ZCARD', following))
mend_lists(user, profile, outbox, tonumber(ARGV[1]))
return 1
