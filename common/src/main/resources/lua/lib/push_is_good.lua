-- push_is_good(tokens, token, line): whether a field of the push subscriptions of an account, see push_subscribe.lua, belongs there: it can be read, and its token is good.
local function push_is_good(tokens, token, line)
  if token == 'last' then
    return string.match(line, '^%d+$') ~= nil
  end
  return string.match(line, '^%d+ %d+ %S+ %l+ [01] %S+ %S+ %S+ %S+ %S+$') ~= nil and redis.call('HEXISTS', tokens, token) == 1
end
