#!lua
--[[
  home_create - start to build the home of a reader who has none, or one that its floor has left too short

  KEYS[1]  home   LIST    see lib/home_head.lua
  KEYS[2]  built  STRING  how many homes of the shard were ever built
  KEYS[3]  generation  STRING  of the homes of the shard: goes up when a failover may have lost writes, so that homes of a lower one
                               may lack what was pushed onto them
  ARGV[1]  token        unique mark of this rebuild, [a-z0-9]+
  ARGV[2]  ttl          seconds
  ARGV[3]  short        floor of the complete home that the caller has found too short; empty = it has found none
  ARGV[4]  margin       how much the clocks of two masters may differ, ms; empty = the caller knows of no pulled author

  Returns  the token to merge with: this one, or that of a rebuild under way; nil when the home is complete
  Holds    a complete home is marked only if its floor is still the one that the caller has seen, and keeps its ids and
           time to live: what is pushed from now on stays in it, as in a new home. A home of another generation counts
           as none
]]
--#include now
--#include id_before_ms
--#include home_head
--#include home_rewrite
local home, built, new_token, ttl, short, margin =
  KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])

-- All that has been posted by now is read after this, so the home then holds the posts of pulled authors too.
local pulled = margin and id_before_ms(now_ms('') - margin) or ''

local generation = redis.call('GET', KEYS[3]) or ''
local floor, token, _, of = home_head(home)
if floor and of ~= generation then
  redis.call('DEL', home)
  floor = nil
end
if not floor then
  redis.call('RPUSH', home, home_spell(0, new_token, 0, generation, pulled))
  redis.call('EXPIRE', home, ttl)
  redis.call('INCR', built)
  return new_token
end
if token ~= '' then
  return token
end
if string.format('%.0f', floor) == short then
  redis.call('LSET', home, '0', home_spell(0, new_token, 0, generation, pulled))
  redis.call('INCR', built)
  return new_token
end
return false
