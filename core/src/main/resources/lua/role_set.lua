#!lua flags=allow-oom
--[[
  role_set - give an account a role, and log the act

  KEYS[1]  {moderation}:roles  HASH    account to its role
  KEYS[2]  {moderation}:log    STREAM  acts, see Act.fields
  ARGV[1]  account
  ARGV[2]  role                user, moderator, admin or owner; user = none
  ARGV[3]  actor               account; 0 = an operator, who may do everything
  ARGV[4]  max                 accounts with a role
  ARGV[5]  log_max             entries of the log
  ARGV[6..]                    fields and values of the entry

  Returns  the role before; 'rank' when the actor may not do this, 'last' when no owner would be left, 'full' when max accounts have a role: then nothing is changed
  Holds    an account acts on those below it, an owner on all; it gives roles below its own, an owner all; it may lower its own and never raises it; no account takes the role of the last owner
]]
--#include ranks
local roles, log = unpack(KEYS)
local account, role, actor, max, log_max = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]

local function role_of(one)
  return redis.call('HGET', roles, one) or 'user'
end

local function may(before)
  local own = role_ranks[role_of(actor)]
  if account == actor then
    return role_ranks[role] <= own
  end
  return own == role_ranks.owner or (own >= role_ranks.admin and own > role_ranks[before] and own > role_ranks[role])
end

local function owners()
  local count = 0
  local all = redis.call('HGETALL', roles)
  for i = 2, #all, 2 do
    count = count + (all[i] == 'owner' and 1 or 0)
  end
  return count
end

local before = role_of(account)
if actor ~= '0' then
  if not may(before) then
    return 'rank'
  end
  if before == 'owner' and role ~= 'owner' and owners() == 1 then
    return 'last'
  end
end
if before == 'user' and role ~= 'user' and redis.call('HLEN', roles) >= max then
  return 'full'
end
if role == 'user' then
  redis.call('HDEL', roles, account)
else
  redis.call('HSET', roles, account, role)
end
redis.call('XADD', log, 'MAXLEN', log_max, '*', unpack(ARGV, 6))
return before
