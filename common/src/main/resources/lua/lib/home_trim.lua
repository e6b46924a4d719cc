-- home_repeats(home, n): whether ids occur twice among the newest 2n entries: deliveries that were sent again leave such.
-- Looks at two of the newest n: where a large part was sent again, one of them tells, and few repeats do no harm; to
-- look at all would double the cost of a trim.
local function home_repeats(home, n)
  for at = 1, n, math.ceil(n / 2) do
    local id = redis.call('LINDEX', home, -at)
    if #redis.call('LPOS', home, id, 'RANK', -1, 'COUNT', 2, 'MAXLEN', 2 * n) > 1 then
      return true
    end
  end
  return false
end

-- home_late(home, from, to, id): whether entries from one place to another are not higher than an id: a quarter of them,
-- or any of the newest quarter; and the lowest of them. Looks at twelve, and at the last: a few late ones do no harm.
local function home_late(home, from, to, id)
  local looks, late, new_late, lowest = 0, 0, false, nil
  for at = to, from, -math.max(1, math.floor((to - from) / 12)) do
    local entry = redis.call('LINDEX', home, at)
    if not lowest or id_before(entry, lowest) then
      lowest = entry
    end
    if not id_before(id, entry) then
      new_late = new_late or 4 * (to - at) < to - from
      late = late + 1
    end
    looks = looks + 1
  end
  return new_late or late > 0 and 4 * late >= looks, lowest
end

-- home_highest(home, n, count): the highest of the first n entries; the first count entries are sorted.
local function home_highest(home, n, count)
  if count >= n then
    return redis.call('LINDEX', home, n)
  end
  local highest = '0'
  for _, id in ipairs(redis.call('LRANGE', home, 1, n)) do
    if id_before(highest, id) then
      highest = id
    end
  end
  return highest
end

-- home_ahead(home, n, id): those of the first n entries that are not lower than an id; and the highest of the others.
local function home_ahead(home, n, id)
  local ahead, highest = {}, '0'
  for _, entry in ipairs(redis.call('LRANGE', home, 1, n)) do
    if not id_before(entry, id) then
      ahead[#ahead + 1] = entry
    elseif id_before(highest, entry) then
      highest = entry
    end
  end
  return ahead, highest
end

-- home_sorted(home): sorts all ids of a home. Redis does it: to bring a thousand of them into Lua and back takes three
-- times as long. Repeats that home_repeats has not seen stand side by side then. SORT ends the time to live.
local function home_sorted(home)
  local seconds, head = redis.call('TTL', home), redis.call('LINDEX', home, 0)
  redis.call('LTRIM', home, 1, -1)
  redis.call('SORT', home, 'STORE', home)
  redis.call('LPUSH', home, head)
  if seconds >= 0 then
    redis.call('EXPIRE', home, math.max(1, seconds)) -- TTL rounds: the last half second is 0.
  end
end

-- home_doubled(home, length): whether a sorted home has ids twice. Looks at eight places of it, at all of a short one:
-- where one id in twenty stands twice, it misses that once in sixteen times.
local function home_doubled(home, length)
  for from = 1, length, math.max(8, math.floor(length / 8)) do
    local last
    for _, id in ipairs(redis.call('LRANGE', home, from, from + 8)) do
      if id == last then
        return true
      end
      last = id
    end
  end
  return false
end

-- home_trim(home, max, slack): when a home has grown over max + slack, drops what came first, but for max and a fifth of
-- the slack, and raises the floor to the highest id that goes; returns how many repeats it left out. It costs what it drops:
-- deliveries are nearly in order, so what came first is the oldest, but for a few ids that the floor hides from then on;
-- the fifth makes up for these. After a backlog, and while posts come faster than they are delivered, late deliveries
-- stand behind much newer ids. Where the floor would hide a quarter of what stays, those of the first that are not among
-- the oldest go behind all others instead, as if they were late. With too many of them the home is sorted, and the lowest
-- ids go: that costs ten times as much. The key never goes away: the new head is put in front of ids that stay.
local function home_trim(home, max, slack)
  local length = redis.call('LLEN', home) - 1
  if length - max <= slack then
    return 0
  end
  local reserve = math.floor(slack / 5)
  local excess = length - max - reserve
  local floor, token, count, generation, pulled = home_head(home)
  if home_repeats(home, excess) then
    return home_rewrite(home, home_ids(home), floor, token, max)
  end
  local highest, ahead = home_highest(home, excess, count), {}
  local late, lowest = home_late(home, excess + reserve + 1, length, highest)
  if late then
    local below
    ahead, below = home_ahead(home, excess, lowest)
    if #ahead <= 2 * reserve then
      highest = below
    else
      home_sorted(home)
      if home_doubled(home, length) then
        return home_rewrite(home, home_ids(home), floor, token, max)
      end
      ahead, count, highest = {}, length, redis.call('LINDEX', home, excess)
    end
  end
  redis.call('LTRIM', home, excess + 1, -1)
  home_push(home, ahead, 1)
  floor, count = math.max(floor, tonumber(highest)), math.max(0, count - excess)
  redis.call('LPUSH', home, home_spell(floor, token, count, generation, pulled))
  return 0
end
