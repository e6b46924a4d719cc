-- home_trim(home, max, slack): when a home has grown over max + slack, drops its oldest elements down to max and raises the floor to the highest id dropped. Unlike a full
-- rewrite this costs what it drops, not what it keeps; ids that stay although they lie at or below the new floor are ignored by readers. The key never goes away: the new head is
-- put in front of ids that stay.
local function home_trim(home, max, slack)
  local excess = redis.call('LLEN', home) - 1 - max
  if excess <= slack then
    return 0
  end
  local floor, token = home_head(home)
  for _, id in ipairs(redis.call('LRANGE', home, 1, excess)) do
    floor = math.max(floor, tonumber(id))
  end
  redis.call('LTRIM', home, excess + 1, -1)
  redis.call('LPUSH', home, home_spell(floor, token))
  return excess
end
