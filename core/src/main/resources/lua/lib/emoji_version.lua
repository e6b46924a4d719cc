-- emoji_version(emojis, now): what is in emojis has changed. A moment rather than a counter: a failover that loses a change does not give its number to another one.
local function emoji_version(emojis, now)
  local last = tonumber(redis.call('HGET', emojis, '-') or '0')
  redis.call('HSET', emojis, '-', string.format('%.0f', math.max(last + 1, now)))
end
