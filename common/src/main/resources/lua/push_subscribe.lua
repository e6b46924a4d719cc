#!lua
--[[
  push_subscribe - subscribe an access token to push, in place of a former subscription of it

  KEYS[1]  user           HASH  of the account
  KEYS[2]  tokens         HASH  of the account
  KEYS[3]  subscriptions  HASH  of the account: token id to '<id> <failing> <alerts> <policy> <standard> <sent> <p256dh> <auth> <endpoint> <sealed token>'; 'last' to the last id
  ARGV[1]  token id
  ARGV[2]  rest           of the subscription, behind its id
  ARGV[3]  max            subscriptions of an account

  Returns  the id of the subscription; 'inactive' without an active account; 'ended' when the token is not listed any more; 'full' at the limit
  Holds    a token has one subscription; what belongs to tokens that have ended goes; ids are not given out again
]]
local user, tokens, subscriptions = unpack(KEYS)
local token, rest, max = ARGV[1], ARGV[2], tonumber(ARGV[3])

if redis.call('HGET', user, 'state') ~= 'active' then
  return 'inactive'
end
if redis.call('HEXISTS', tokens, token) == 0 then
  return 'ended'
end
local others = 0
local all = redis.call('HGETALL', subscriptions)
for i = 1, #all, 2 do
  if all[i] ~= 'last' and all[i] ~= token then
    if redis.call('HEXISTS', tokens, all[i]) == 1 then
      others = others + 1
    else
      redis.call('HDEL', subscriptions, all[i])
    end
  end
end
if others >= max then
  return 'full'
end
local id = string.format('%.0f', redis.call('HINCRBY', subscriptions, 'last', 1))
redis.call('HSET', subscriptions, token, id .. ' ' .. rest)
return id
