-- home_repeats(home, n): whether ids occur twice among the newest 2n elements: deliveries that were sent again leave such. Looks at three of the newest n: where a large part was
-- sent again, one of them tells, and few repeats do no harm; to look at all would double the cost of a trim.
local function home_repeats(home, n)
  for at = 1, n, math.ceil(n / 3) do
    local id = redis.call('LINDEX', home, -at)
    if #redis.call('LPOS', home, id, 'RANK', -1, 'COUNT', 2, 'MAXLEN', 2 * n) > 1 then
      return true
    end
  end
  return false
end

-- home_trim(home, max, slack): when a home has grown over max + slack, drops its oldest elements down to max and raises the floor to the highest id dropped. Unlike a full
-- rewrite this costs what it drops, not what it keeps; ids that stay although they lie at or below the new floor are ignored by readers. The key never goes away: the new head is
-- put in front of ids that stay. A home that has grown by far more than it should, or by repeats, is rewritten instead: a cut would keep the repeats and drop older posts for them.
local function home_trim(home, max, slack)
  local excess = redis.call('LLEN', home) - 1 - max
  if excess <= slack then
    return 0
  end
  local floor, token, count = home_head(home)
  if excess > 2 * slack or home_repeats(home, excess) then
    home_rewrite(home, home_ids(home), floor, token, max)
    return max + excess + 1 - redis.call('LLEN', home)
  end
  for _, id in ipairs(redis.call('LRANGE', home, 1, excess)) do
    floor = math.max(floor, tonumber(id))
  end
  redis.call('LTRIM', home, excess + 1, -1)
  redis.call('LPUSH', home, home_spell(floor, token, math.max(0, count - excess)))
  return excess
end
