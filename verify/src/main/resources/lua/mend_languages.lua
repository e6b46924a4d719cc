#!lua flags=allow-oom
--[[
  mend_languages - remove the languages that are wanted of somebody unless they are of the follow that there is

  KEYS[1]  user       HASH  of the account
  KEYS[2]  languages  HASH  of the account: account id to '<edge> <codes>'
  KEYS[3]  following  ZSET  of the account: account id by edge id
  ARGV[1]  now              ms, empty = the server's clock
  ARGV[2]  member

  Returns  nothing
  Holds    languages are a part of following; the version goes up, since lists of followees are kept with their terms
]]
--#include now
--#include bump
local user, languages, following = unpack(KEYS)
local edge = redis.call('ZSCORE', following, ARGV[2])
if not edge or string.match(redis.call('HGET', languages, ARGV[2]) or '', '^%d+') ~= edge then
  redis.call('HDEL', languages, ARGV[2])
end
bump(user, now_ms(ARGV[1]))
