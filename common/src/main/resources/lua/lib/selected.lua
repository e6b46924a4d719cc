-- selected_turn(user, field, act, on, is_on): decides about a restriction of an account, and notes the decision in the field selected_<field>: '<act> <result>' of the newest act on a selection
-- that has reached the account. Result 1 = that act has set the restriction, 3 = so it has, but somebody has decided about the account since, 2 = its undo has lifted the restriction, 0 = it has
-- changed nothing. Numbers of acts go up. act empty = an act on this account alone, which always decides.
-- Answers whether the restriction changes now, and what to return: 1 = the act has changed it, now or in an earlier run of the same job; 0 = not.
local function selected_turn(user, field, act, on, is_on)
  local mark = 'selected_' .. field
  local newest, result = string.match(redis.call('HGET', user, mark) or '0 0', '^(%d+) (%d)$')
  if act == '' then
    if result == '1' then
      redis.call('HSET', user, mark, newest .. ' 3')
    end
    return on ~= is_on, on ~= is_on and 1 or 0
  end
  if tonumber(newest) > tonumber(act) then
    return false, 0
  end
  if newest == act and (on or result ~= '1') then
    local done = on and (result == '1' or result == '3') or not on and result == '2'
    return false, done and 1 or 0
  end
  local changes = is_on ~= on and (on or newest == act)
  redis.call('HSET', user, mark, act .. ' ' .. (changes and (on and '1' or '2') or '0'))
  return changes, changes and 1 or 0
end
