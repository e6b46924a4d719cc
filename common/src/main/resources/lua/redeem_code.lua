#!lua
--[[
  redeem_code - take what an authorization code stands for, once, and remember what came of it

  KEYS[1]  code:<digest>  STRING  an approval, its user in the first line; once taken 'used' or, if it came again, 'replayed', with user and token below
  ARGV[1]  id of the token that will be issued for it

  Returns  the approval; what the key said when it came again; nil when there is no such code
  Holds    an approval is returned once; the key lives as long as the code would have
]]
local stored = redis.call('GET', KEYS[1])
if not stored then
  return nil
end
local taken = string.match(stored, '^%l+(\n.*)$')
if taken then
  redis.call('SET', KEYS[1], 'replayed' .. taken, 'KEEPTTL')
  return 'replayed' .. taken
end
redis.call('SET', KEYS[1], 'used\n' .. string.match(stored, '^%d+') .. '\n' .. ARGV[1], 'KEEPTTL')
return stored
