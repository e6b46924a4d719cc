#!lua
--[[
  note_token_use - remember when a token was used last

  KEYS[1]  tokens:{s}:u  HASH  token id to '<issued, epoch s> <client id> <scopes>', then a tab each: browser, system, <used last, epoch s>, <a code given, epoch s>, network
  ARGV[1]  token id
  ARGV[2]  now, epoch s
  ARGV[3]  how many seconds a use stands for those after it

  Returns  1, or 0 when the token is not listed or its last use is that recent: then nothing is changed
]]
local list = KEYS[1]
local token, now, period = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local listed = redis.call('HGET', list, token)
if not listed then
  return 0
end
local rest, used, code = string.match(listed, '^([^\t]*\t[^\t]*\t[^\t]*\t)(%d*)(.*)$')
if now - (tonumber(used) or 0) < period then
  return 0
end
redis.call('HSET', list, token, (rest or listed .. '\t\t\t') .. now .. (code or ''))
return 1
