-- listed(list, account): the member of a listed set by which an account is on a list: 16 digits each, so that members are in the order of the numbers.
local function listed(list, account)
  return string.rep('0', 16 - #list) .. list .. ' ' .. string.rep('0', 16 - #account) .. account
end

-- members_of(set, list): the members of a listed set that one list has.
local function members_of(set, list)
  local head = string.rep('0', 16 - #list) .. list
  return redis.call('ZRANGE', set, '[' .. head .. ' ', '(' .. head .. '!', 'BYLEX')
end

-- account_of(member): the account, with zeros before it.
local function account_of(member)
  return string.sub(member, 18)
end

-- unlist(lists, set, account): takes an account off all lists of the account whose lists these are.
local function unlist(lists, set, account)
  local all = redis.call('HGETALL', lists)
  for i = 1, #all, 2 do
    redis.call('ZREM', set, listed(all[i], account))
  end
end
