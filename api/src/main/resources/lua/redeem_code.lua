#!lua
--[[
  redeem_code - take what an authorization code stands for, once, and remember what came of it

  KEYS[1]  code:<digest>  STRING  an approval, its user in the first line; once taken 'used' or, if it came again, 'replayed', with user, token and app below
  ARGV[1]  id of the token that will be issued for it
  ARGV[2]  app that presents it

  Returns  the approval; what the key said when it came again; nil when there is no such code, or it is another app's
  Holds    an approval is returned once, to its app; another app changes nothing; the key lives as long as the code would have
]]
local stored = redis.call('GET', KEYS[1])
if not stored then
  return nil
end
local taken = string.match(stored, '^%l+(\n.*)$')
-- The third line of an approval; the last one of what is taken, which in older versions names none.
local app = string.match(stored, taken and '^%l+\n%d+\n[^\n]*\n([^\n]*)$' or '^%d+\n%d+\n([^\n]*)\n')
if app and app ~= ARGV[2] then
  return nil
end
if taken then
  redis.call('SET', KEYS[1], 'replayed' .. taken, 'KEEPTTL')
  return 'replayed' .. taken
end
redis.call('SET', KEYS[1], 'used\n' .. string.match(stored, '^%d+') .. '\n' .. ARGV[1] .. '\n' .. ARGV[2], 'KEEPTTL')
return stored
