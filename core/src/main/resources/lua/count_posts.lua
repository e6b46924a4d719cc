#!lua
--[[
  count_posts - count posts in the week in which they were written

  KEYS[1]  counts  HASH  of a shard
  ARGV[1]  id of one of them
  ARGV[2]  how many

  Returns  1
  Holds    a week has one field, and what is older than twelve weeks has none once a week has begun
]]
--#include subject_ms
--#include count_week
local counts, post, more = KEYS[1], ARGV[1], tonumber(ARGV[2])

count_week(counts, 'posts', subject_ms(post), more)
return 1
