#!lua flags=allow-oom
--[[
  mend_terms - give the terms of a follow or a mute the edge that there is, or remove them with it

  KEYS[1]  user   HASH  of the account
  KEYS[2]  terms  ZSET  noreposts, bells, endorsed, heard or mute-ends of the account: account id by edge id, or by ms
  KEYS[3]  set    ZSET  following or mutes of the account, of which it is a part
  ARGV[1]  now          ms, empty = the server's clock
  ARGV[2]  member
  ARGV[3]  by_edge      1 = the terms are ordered by edge id, 0 = they have scores of their own
  ARGV[4]  passes_on    1 = terms of a former edge are given to the one there is, 0 = they are removed

  Returns  nothing
  Holds    terms are a part of their set; the version goes up, since lists of followees are kept with their terms
]]
--#include now
--#include bump
local user, terms, set = unpack(KEYS)
local edge = redis.call('ZSCORE', set, ARGV[2])
local by = redis.call('ZSCORE', terms, ARGV[2])
if not edge or (ARGV[3] == '1' and ARGV[4] == '0' and by ~= edge) then
  redis.call('ZREM', terms, ARGV[2])
elseif ARGV[3] == '1' and by then
  redis.call('ZADD', terms, edge, ARGV[2])
end
bump(user, now_ms(ARGV[1]))
