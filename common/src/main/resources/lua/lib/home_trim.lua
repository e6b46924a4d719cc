-- home_late(home, count, length, id, draw): about how many of the entries behind the first count are not higher than an id.
-- Looks at about twelve of them, others at nearly each trim.
local function home_late(home, count, length, id, draw)
  local looks, late, step = 0, 0, math.max(1, math.floor((length - count) / 12))
  for at = length - draw % step, count + 1, -step do
    looks = looks + 1
    if not id_before(id, redis.call('LINDEX', home, string.format('%d', at))) then
      late = late + 1
    end
  end
  return looks > 0 and late / looks * (length - count) or 0
end

-- home_repeats(home, newest, draw): whether one of the newest entries, so many, occurs twice among them and as many before
-- them: deliveries that were sent again leave such. At nearly each trim it is another one: a large part that was sent again
-- is met by one of the next trims, and few repeats do no harm.
local function home_repeats(home, newest, draw)
  local one = redis.call('LINDEX', home, -1 - draw % math.max(1, newest))
  return #redis.call('LPOS', home, one, 'RANK', '-1', 'COUNT', '2', 'MAXLEN', 2 * newest + 100) > 1
end

-- home_keep_newest(home, excess, max): sorts all ids of a home and drops the lowest of them, excess ids; max ids stay, and the
-- highest of those that go is put in place of the head. Redis does it: to bring a thousand ids into Lua and back takes three
-- times as long. SORT ends the time to live.
local function home_keep_newest(home, excess, max)
  local seconds, head = redis.call('TTL', home), redis.call('LINDEX', home, '0')
  redis.call('LSET', home, '0', '0') -- Lower than all ids.
  local sorted = redis.pcall('SORT', home, 'LIMIT', excess, max + 1, 'STORE', home)
  if type(sorted) == 'table' then
    redis.call('LSET', home, '0', head)
    error(sorted.err)
  end
  if seconds >= 0 then
    redis.call('EXPIRE', home, math.max(1, seconds)) -- TTL rounds: the last half second is 0.
  end
end

-- home_trim(home, max, slack): when a home has grown over max + slack, drops all but max of its entries and raises the floor
-- to the highest id that goes; returns how many repeats it left out. Where enough entries are sorted, the lowest of these go:
-- a few looks and one cut. Unsorted ones that are not above the new floor stay, without a meaning. Where these would be more
-- than a quarter of max, or too little is sorted, the home is sorted first. That takes more than three times as long, and the
-- next trims find it sorted. So a home keeps its newest ids in whatever order deliveries come: after a backlog, and while
-- posts come faster than they are delivered, late ones stand behind much newer ids. The key never goes away.
local function home_trim(home, max, slack)
  local length = redis.call('LLEN', home) - 1
  local excess = length - max
  if excess <= slack then
    return 0
  end
  local floor, token, count, generation, pulled = home_head(home)
  local draw = tonumber(string.sub(redis.call('LINDEX', home, '-1'), -5)) -- Another number for nearly each newest id.
  if home_repeats(home, math.min(length - count, excess), draw) then
    return home_rewrite(home, home_ids(home), floor, token, max)
  end
  local raised = count > excess and math.max(floor, tonumber(redis.call('LINDEX', home, excess)))
  if raised and 4 * home_late(home, count, length, string.format('%.0f', raised), draw) <= max then
    redis.call('LTRIM', home, excess, '-1')
    count = count - excess
  else
    home_keep_newest(home, excess, max)
    raised = math.max(floor, tonumber(redis.call('LINDEX', home, '0')))
    count = max
  end
  redis.call('LSET', home, '0', home_spell(raised, token, count, generation, pulled))
  return 0
end
