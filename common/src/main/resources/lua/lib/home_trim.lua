-- home_trim(home, max, slack): when a home has grown over max + slack, sorts in what has been pushed, drops its lowest
-- ids down to max and raises the floor to the highest of them; returns how many elements went. The lowest, not those
-- that came first: late deliveries come after newer ids, and a floor among those would hide every one of them. The key
-- never goes away: the new head is put in front of ids that stay.
local function home_trim(home, max, slack)
  local length = redis.call('LLEN', home) - 1
  if length - max <= slack then
    return 0
  end
  local floor, token, count = home_head(home)
  local size = home_order(home, floor, count)
  if size <= max then
    redis.call('LSET', home, 0, home_spell(floor, token, size))
    return length - size
  end
  local excess = size - max
  floor = math.max(floor, tonumber(redis.call('LINDEX', home, excess)))
  redis.call('LTRIM', home, excess + 1, -1)
  redis.call('LPUSH', home, home_spell(floor, token, max))
  return length - max
end
