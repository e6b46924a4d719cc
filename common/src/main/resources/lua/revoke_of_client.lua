#!lua flags=allow-oom
--[[
  revoke_of_client - end a token of a user, if it is one of this client

  KEYS[1]  tokens:{s}:u  HASH  token id to '<issued, epoch s> <client id> <scopes>', then a tab each: browser, system, <used last, epoch s>, <a code given, epoch s>, network
  ARGV[1]  token id
  ARGV[2]  client id; empty = made without a client

  Returns  1, or 0 when no such token of that client is listed: then nothing is changed
]]
local list = KEYS[1]
local token, client = ARGV[1], ARGV[2]

local listed = redis.call('HGET', list, token)
if not listed or string.match(listed, '^%d+ ([^ ]*)') ~= client then
  return 0
end
return redis.call('HDEL', list, token)
