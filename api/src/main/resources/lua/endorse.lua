#!lua
--[[
  endorse - recommend an account that one follows

  KEYS[1]  user       HASH  of the one who recommends
  KEYS[2]  following  ZSET  of the same: account id by edge id
  KEYS[3]  endorsed   ZSET  of the same: account id by edge id
  ARGV[1]  account
  ARGV[2]  max              accounts that one may recommend

  Returns  {'new'}; {'same'} when it was so already; {'unfollowed'} unless it is followed; {'inactive'} without an active account; {'full'} at the limit
  Holds    endorsed is a part of following, by the same edge: follow.lua, unfollow.lua and block.lua keep it so. An unfollow by an older process leaves an entry, which does not count
]]
local user, following, endorsed = unpack(KEYS)
local account, max = ARGV[1], tonumber(ARGV[2])

local edge = redis.call('ZSCORE', following, account)
if not edge then
  return { 'unfollowed' }
end
if redis.call('ZSCORE', endorsed, account) == edge then
  return { 'same' }
end
if redis.call('HGET', user, 'state') ~= 'active' then
  return { 'inactive' }
end
if redis.call('ZCARD', endorsed) >= max then
  local entries = redis.call('ZRANGE', endorsed, 0, -1, 'WITHSCORES')
  for i = 1, #entries, 2 do
    if redis.call('ZSCORE', following, entries[i]) ~= entries[i + 1] then
      redis.call('ZREM', endorsed, entries[i])
    end
  end
  if redis.call('ZCARD', endorsed) >= max then
    return { 'full' }
  end
end
redis.call('ZADD', endorsed, edge, account)
return { 'new' }
