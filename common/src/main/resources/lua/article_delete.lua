#!lua flags=allow-oom
--[[
  article_delete - take an article out of the rankings, for good

  KEYS[1]  article  HASH  votes, or gone
  KEYS[2]  voters   ZSET  account by the number of its vote
  KEYS[3]  score    ZSET  article by score
  KEYS[4]  time     ZSET  article by itself
  KEYS[5]  best     ZSET  article by itself
  ARGV[1]  now            ms, empty = the server's clock
  ARGV[2]  id             of the article
  ARGV[3]  tombstone_ms   how long the tombstone outlives the voting

  Returns  1
  Holds    neither a vote nor a late publication brings a deleted article back while its tombstone lives
]]
--#include now
local article, voters, score, time, best = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local now, id, tombstone_ms = now_ms(ARGV[1]), ARGV[2], tonumber(ARGV[3])

local deadline = math.floor(tonumber(id) / 4096) + 1704067200000 + 604800000
redis.call('UNLINK', voters, article)
redis.call('HSET', article, 'gone', 1)
redis.call('PEXPIRE', article, string.format('%.0f', math.max(deadline - now, 0) + tombstone_ms))
redis.call('ZREM', score, id)
redis.call('ZREM', time, id)
redis.call('ZREM', best, id)
return 1
