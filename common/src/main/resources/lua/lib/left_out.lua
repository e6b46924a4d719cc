-- left_out(lists, set): whom the exclusive lists of an account take out of its home, with zeros before each; see lib/listed.lua, which it needs. Nobody stands there who is on no such list.
local function left_out(lists, set)
  local all, accounts = redis.call('HGETALL', lists), {}
  for i = 1, #all, 2 do
    if string.match(all[i + 1], '^%l+ (%d) ') == '1' then
      for _, member in ipairs(members_of(set, all[i])) do
        accounts[#accounts + 1] = account_of(member)
      end
    end
  end
  return accounts
end
