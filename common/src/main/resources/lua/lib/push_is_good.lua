-- push_is_good(tokens, token, line): whether a field of the push subscriptions of an account, see push_subscribe.lua, belongs there: it can be read, and its token is good, or will be when the suspension of the account is lifted.
local function push_is_good(tokens, token, line)
  if token == 'last' then
    return string.match(line, '^%d+$') ~= nil
  end
  if not string.match(line, '^%d+ %d+ %S+ %l+ [01] %S+ %S+ %S+ %S+ %S+$') then
    return false
  end
  return redis.call('HEXISTS', tokens, token) == 1 or redis.call('HEXISTS', tokens, '!' .. token) == 1
end
