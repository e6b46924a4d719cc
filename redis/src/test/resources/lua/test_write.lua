#!lua flags=allow-oom
--[[
  test_write - writes its argument; for tests of the link

  KEYS[1]  key   STRING  the text
  ARGV[1]  text

  Returns  nothing
]]
local key, text = KEYS[1], ARGV[1]
redis.call('SET', key, text)
