#!lua flags=no-writes
--[[
  listed_facts - who is on lists of an account that there are not, or without being followed

  KEYS[1]  lists      HASH  of the account: list id to what it is
  KEYS[2]  listed     ZSET  of the account: see lib/listed.lua
  KEYS[3]  following  ZSET  of the account: account id by edge id
  ARGV[1]  account
  ARGV[2]  after            member to go on behind, empty = from the first
  ARGV[3]  count            members to look at

  Returns  {last member that was looked at, empty at the end; the wrong ones}
]]
local lists, set, following = unpack(KEYS)
local account, after, count = ARGV[1], ARGV[2], tonumber(ARGV[3])

local page = redis.call('ZRANGE', set, after == '' and '-' or '(' .. after, '+', 'BYLEX', 'LIMIT', 0, count)
local facts = { #page == count and page[count] or '' }
for _, member in ipairs(page) do
  local list, other = string.match(member, '^0*(%d+) 0*(%d+)$')
  local good = list
    and redis.call('HEXISTS', lists, list) == 1
    and (other == account or redis.call('ZSCORE', following, other))
  if not good then
    facts[#facts + 1] = member
  end
end
return facts
