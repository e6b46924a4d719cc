#!lua flags=no-writes
--[[
  push_read - a push subscription whose access token is good

  KEYS[1]  subscriptions  HASH  of the account, see push_subscribe.lua
  KEYS[2]  tokens         HASH  of the account
  ARGV[1]  id             of the subscription

  Returns  {token id, subscription}; {} when there is none, or its token has ended
]]
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  if string.match(all[i + 1], '^(%d+) ') == ARGV[1] then
    return redis.call('HEXISTS', KEYS[2], all[i]) == 1 and { all[i], all[i + 1] } or {}
  end
end
return {}
