-- home_repeats(home, n): whether an id occurs twice among the newest n elements: deliveries that were sent again leave such.
local function home_repeats(home, n)
  local met = {}
  for _, id in ipairs(redis.call('LRANGE', home, math.max(1, redis.call('LLEN', home) - n), -1)) do
    if met[id] then
      return true
    end
    met[id] = true
  end
  return false
end

-- home_trim(home, max, slack): when a home has grown over max + slack, drops its oldest elements down to max and raises the floor to the highest id dropped. Unlike a full
-- rewrite this costs what it drops, not what it keeps; ids that stay although they lie at or below the new floor are ignored by readers. The key never goes away: the new head is
-- put in front of ids that stay. A home that has grown by more than it should, or by repeats, is rewritten instead: a cut would keep the repeats and drop what they repeat nothing of.
-- Looking at twice the excess finds what was sent again since the trim before.
local function home_trim(home, max, slack)
  local excess = redis.call('LLEN', home) - 1 - max
  if excess <= slack then
    return 0
  end
  local floor, token = home_head(home)
  if excess > 2 * slack or home_repeats(home, 2 * excess) then
    home_rewrite(home, home_ids(home), floor, token, max)
    return max + excess + 1 - redis.call('LLEN', home)
  end
  for _, id in ipairs(redis.call('LRANGE', home, 1, excess)) do
    floor = math.max(floor, tonumber(id))
  end
  redis.call('LTRIM', home, excess + 1, -1)
  redis.call('LPUSH', home, home_spell(floor, token))
  return excess
end
