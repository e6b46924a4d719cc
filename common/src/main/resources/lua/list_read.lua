#!lua flags=no-writes
--[[
  list_read - a list, who is on it, and whose posts its owner is to see, at one instant

  KEYS[1]  lists      HASH  of the owner: list id to '<replies> <exclusive> <title>'
  KEYS[2]  listed     ZSET  of the owner: see lib/listed.lua
  KEYS[3]  user       HASH  of the owner
  KEYS[4]  following  ZSET  of the owner: account id by edge id
  KEYS[5]  noreposts  ZSET  likewise
  KEYS[6]  blocks     ZSET  likewise
  KEYS[7]  blockedby  ZSET  likewise
  KEYS[8]  mutes      ZSET  likewise
  KEYS[9]  mute_ends  ZSET  of the owner: account id by ms
  KEYS[10] languages  HASH  of the owner: account id to '<edge> <codes>'
  ARGV[1]  list
  ARGV[2]  version          of the following set that the caller knows, empty = none
  ARGV[3]  held             most accounts of each of KEYS[6..8] that the caller can do with; empty = the caller is a stream
  ARGV[4]  owner

  Mutes that have ended by the clock of the server are left out.

  Returns  {what the list is, accounts on it, version, followed accounts, those of KEYS[5], {those of KEYS[6..8]}, those of exclusive lists, what KEYS[10] has, fold of the owner}; the five before the last are nil where the caller's version is
           right or the sets are empty; {} without such a list. A stream gets only such accounts as the owner is or follows, of followed accounts none unless the policy of replies asks for them, of KEYS[5] and KEYS[10] only
           who is among the accounts, and nothing of KEYS[6..8] and of exclusive lists
]]
--#include now
--#include listed
--#include muted
--#include left_out
--#include spoken
local line = redis.call('HGET', KEYS[1], ARGV[1])
if not line then
  return {}
end
local members = members_of(KEYS[2], ARGV[1])
local version, fold = unpack(redis.call('HMGET', KEYS[3], 'version', 'fold'))
version = version or '0'
local accounts, followed, noreposts, hidden, exclusive, languages = {}, false, false, false, false, false
if ARGV[3] == '' then
  followed, noreposts, languages = {}, {}, {}
  for _, member in ipairs(members) do
    local account = string.gsub(account_of(member), '^0+', '')
    local edge = redis.call('ZSCORE', KEYS[4], account)
    if account == ARGV[4] or edge then
      accounts[#accounts + 1] = account
      if redis.call('ZSCORE', KEYS[5], account) then
        noreposts[#noreposts + 1] = account
      end
      local line_of = redis.call('HGET', KEYS[10], account)
      if line_of and string.match(line_of, '^%d+') == edge then
        languages[#languages + 1] = account
        languages[#languages + 1] = line_of
      end
    end
  end
  if string.match(line, '^%l+') == 'followed' then
    followed = redis.call('ZRANGE', KEYS[4], 0, -1)
  end
  return { line, accounts, version, followed, noreposts, hidden, exclusive, languages, fold }
end
for i, member in ipairs(members) do
  accounts[i] = account_of(member)
end
if version ~= ARGV[2] then
  followed = redis.call('ZRANGE', KEYS[4], 0, -1)
  noreposts = redis.call('ZRANGE', KEYS[5], 0, -1)
  exclusive = left_out(KEYS[1], KEYS[2])
  languages = spoken(KEYS[10], KEYS[4])
end
if redis.call('EXISTS', KEYS[6], KEYS[7], KEYS[8]) > 0 then
  local held = tonumber(ARGV[3])
  hidden = {
    redis.call('ZRANGE', KEYS[6], 0, held),
    redis.call('ZRANGE', KEYS[7], 0, held),
    muted(KEYS[8], KEYS[9], held, now_ms('')),
  }
end
return { line, accounts, version, followed, noreposts, hidden, exclusive, languages, fold }
