#!lua flags=no-writes
--[[
  tag_history - how a tag was used on some days

  KEYS[1..]  tag_day  HASH  of one tag and a day each, see tag_use.lua
  ARGV[1..]  accounts whose uses do not count, since they are suspended

  Returns  uses and accounts of each day in turn
]]
local history = {}
for i, day in ipairs(KEYS) do
  local counted = redis.call('HMGET', day, 'uses', 'accounts')
  local uses, accounts = tonumber(counted[1] or '0'), tonumber(counted[2] or '0')
  if uses > 0 and #ARGV > 0 then
    local fields = {}
    for j, account in ipairs(ARGV) do
      fields[j] = 'a' .. account
    end
    for _, some in ipairs(redis.call('HMGET', day, unpack(fields))) do
      if some then
        uses, accounts = uses - tonumber(some), accounts - 1
      end
    end
  end
  history[2 * i - 1] = uses
  history[2 * i] = accounts
end
return history
