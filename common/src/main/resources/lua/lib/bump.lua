-- bump(user, now): the next version of the user's following set: higher than any before, also than those that a Redis which has lost its last moments no longer knows of.
local function bump(user, now)
  local last = tonumber(redis.call('HGET', user, 'version') or 0)
  redis.call('HSET', user, 'version', string.format('%.0f', math.max(last + 1, now)))
end
