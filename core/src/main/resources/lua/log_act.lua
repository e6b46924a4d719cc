#!lua flags=allow-oom
--[[
  log_act - add an act to the log of acts, also when memory is full

  KEYS[1]  {moderation}:log  STREAM  see Act.fields
  ARGV[1]  max               entries that the log keeps
  ARGV[2..]                  fields and values of the entry

  Returns  the id of the entry
  Holds    the log has at most max entries, the newest
]]
return redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[1], '*', unpack(ARGV, 2))
