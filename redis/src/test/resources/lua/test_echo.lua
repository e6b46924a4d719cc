#!lua
--[[
  test_echo - answers its argument; for tests of the link

  KEYS[1]  any key, which decides the slot
  ARGV[1]  text

  Returns  ARGV[1]
]]
return ARGV[1]
