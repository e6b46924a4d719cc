-- free_held(user, tokens): tokens of an account that could not be used before its address was confirmed are good from now on; user is its HASH.
local function free_held(user, tokens)
  if redis.call('HDEL', user, 'held') == 0 then
    return
  end
  local held = redis.call('HGETALL', tokens)
  for i = 1, #held, 2 do
    local applied, token = string.match(held[i], '^(%??)%%(.*)$')
    if token then
      redis.call('HDEL', tokens, held[i])
      redis.call('HSET', tokens, applied .. token, held[i + 1])
    end
  end
end
