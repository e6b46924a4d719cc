#!lua flags=allow-oom
--[[
  tell_revoked - tell that a list of tokens has lost some

  KEYS[1]  {revoked}:lists  STREAM  'l': key of the list
  ARGV[1]  key of the list
  ARGV[2]  about how many entries are kept

  Returns  1
  Holds    it is told also when the server's memory is full
]]
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 'l', ARGV[1])
return 1
