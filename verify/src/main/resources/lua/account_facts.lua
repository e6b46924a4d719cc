#!lua flags=no-writes
--[[
  account_facts - the counters of an account beside what they count, at one instant

  KEYS[1]  user       HASH  of the account
  KEYS[2]  followers  ZSET  of the account
  KEYS[3]  following  ZSET  of the account
  KEYS[4]  profile    ZSET  of the account
  KEYS[5]  outbox     ZSET  of the account
  KEYS[6]  pulled_authors  ZSET  of the shard
  KEYS[7]  archived   HASH  of the shard, see lib/archived.lua
  ARGV[1]  outbox_max
  ARGV[2]  account

  Returns  {state or '', name or '', followers counted, their number, following counted, their number, posts counted, their number with that of the archived, last, newest of the profile or the border of the archive or '0', 1 when the outbox is the newest part of the
           profile, else 0; 1 when readers are told what the dial says, else 0; 1 when the profile lists nothing up to the border of the archive, else 0}
]]
--#include dial
local user, followers, following, profile, outbox, pulled_authors, archived = unpack(KEYS)
local newest = redis.call('ZRANGE', profile, -tonumber(ARGV[1]), -1)
local held = redis.call('ZRANGE', outbox, 0, -1)
local right = #newest == #held and 1 or 0
for i = 1, #held do
  if held[i] ~= newest[i] then
    right = 0
  end
end
local border = redis.call('HGET', archived, ARGV[2]) or '0'
local fields = redis.call('HMGET', user, 'state', 'name', 'followers', 'following', 'posts', 'last', 'dial')
return {
  fields[1] or '',
  fields[2] or '',
  fields[3] or '0',
  redis.call('ZCARD', followers),
  fields[4] or '0',
  redis.call('ZCARD', following),
  fields[5] or '0',
  redis.call('ZCARD', profile) + tonumber(redis.call('HGET', archived, 'n' .. ARGV[2]) or '0'),
  fields[6] or '0',
  newest[#newest] or border,
  right,
  dial_told(fields[7] or '', pulled_authors, ARGV[2], newest[#newest] or '0') and 1 or 0,
  tonumber(redis.call('ZRANGE', profile, 0, 0)[1] or '1e16') > tonumber(border) and 1 or 0,
}
