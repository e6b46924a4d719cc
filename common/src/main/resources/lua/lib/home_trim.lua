-- home_twice(home, id, n): whether an id occurs twice among the newest n entries; 0 = all.
local function home_twice(home, id, n)
  return #redis.call('LPOS', home, id, 'RANK', -1, 'COUNT', 2, 'MAXLEN', n) > 1
end

-- home_draw(newest, n): a number from 0 to n - 1, another one for nearly each newest id.
local function home_draw(newest, n)
  return tonumber(string.sub(newest, -5)) % n
end

-- home_repeats(home, n): whether an id occurs twice among the newest 2n entries: deliveries that were sent again leave such.
-- Looks for one of the newest n, at every trim for another: a large part that was sent again is met by one of the next
-- trims, and few repeats do no harm. The search is a fifth of a trim.
local function home_repeats(home, n)
  local drawn = home_draw(redis.call('LINDEX', home, -1), n)
  return home_twice(home, redis.call('LINDEX', home, -1 - drawn), 2 * n)
end

-- home_repeats_unsorted(home, count, others): whether one of the others, which stand behind the first count entries, occurs
-- twice. The first count entries are sorted: they are searched only when the id is not newer than all of them.
local function home_repeats_unsorted(home, count, others)
  local one = others[1 + home_draw(others[#others], #others)]
  return home_twice(home, one, id_before(redis.call('LINDEX', home, count), one) and #others or 0)
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

-- home_highest(entries): the highest of these. This loop and those of home_below and home_split spell id_before out: to call
-- it for each entry makes such a loop take half as long again.
local function home_highest(entries)
  local highest, length = '0', 1
  for i = 1, #entries do
    local entry = entries[i]
    if #entry == length and entry > highest or #entry > length then
      highest, length = entry, #entry
    end
  end
  return highest
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

-- home_below(entries, id): how many of these are not higher than an id.
local function home_below(entries, id)
  local below, length = 0, #id
  for i = 1, #entries do
    local entry = entries[i]
    if #entry == length and entry <= id or #entry < length then
      below = below + 1
    end
  end
  return below
end

-- home_split(entries, id): those of these that are higher than an id; and the others.
local function home_split(entries, id)
  local higher, lower, length = {}, {}, #id
  for i = 1, #entries do
    local entry = entries[i]
    local part = (#entry == length and entry > id or #entry > length) and higher or lower
    part[#part + 1] = entry
  end
  return higher, lower
end

-- home_place(home, others, floor, excess, spare): how many of the first entries, which are sorted, have to go for about excess
-- ids to go, up to spare more or fewer, when those of the others that are not higher go too; the highest of all that go, and how
-- many of the others do. nil when a few looks do not find it.
local function home_place(home, others, floor, excess, spare)
  local bottom = string.format('%d', floor)
  local first, lower, upper = excess, 0, excess
  for _ = 1, 4 do
    local highest = first > 0 and redis.call('LINDEX', home, first) or bottom
    if id_before(highest, bottom) then
      highest = bottom
    end
    local below = home_below(others, highest)
    local over = first + below - excess
    if first > 0 and over > spare then
      upper = first - 1
    elseif over < -spare then
      lower = first + 1
    else
      return first, highest, below
    end
    if lower > upper then
      return nil
    end
    -- What is late lies mostly as dense as what is sorted: half of what is too much is among the others.
    first = math.max(lower, math.min(upper, first - math.floor(over / 2)))
  end
end

-- home_cut(home, count, others, floor, excess, spare): lets about excess ids go, the lowest, of a home whose first count
-- entries are sorted, more than excess; others are those behind them. Returns the new floor as text and the new count, and
-- takes the head away with what goes; nil, and nothing is changed, when it finds no place to cut.
local function home_cut(home, count, others, floor, excess, spare)
  local first, highest, below = home_place(home, others, floor, excess, spare)
  if not first then
    return nil
  end
  if below > 0 then
    others = home_split(others, highest)
  end
  local run = home_run(home, count, others)
  redis.call('LTRIM', home, first + 1, below > 0 and count or -1)
  if below > 0 then
    home_push(home, others, 1)
  end
  return highest, count - first + run
end

-- home_trim(home, max, slack): when a home has grown over max + slack, drops what came first, but for max and a fifth of
-- the slack, and raises the floor to the highest id that goes; returns how many repeats it left out. It costs what it drops:
-- deliveries are nearly in order, so what came first is the oldest, but for a few ids that the floor hides from then on;
-- the fifth makes up for these. After a backlog, and while posts come faster than they are delivered, late deliveries
-- stand behind much newer ids. Where enough is sorted, the lowest of it go, and with them those of the others that are not
-- higher. Where the floor would hide a quarter of what stays, those of the first that are not among the oldest go behind all
-- others, as if they were late. With too many of them the home is sorted, and all but max go: that costs four times as much,
-- and the next trims find it sorted. The key never goes away: the new head is put in front of ids that stay.
local function home_trim(home, max, slack)
  local length = redis.call('LLEN', home) - 1
  if length - max <= slack then
    return 0
  end
  local reserve = math.floor(slack / 5)
  local excess = length - max - reserve
  local floor, token, count, generation, pulled = home_head(home)
  local sorted = count > excess and count < length and 3 * count >= length
  local others = sorted and redis.call('LRANGE', home, count + 1, -1)
  if sorted and home_repeats_unsorted(home, count, others) or not sorted and home_repeats(home, excess) then
    return home_rewrite(home, home_ids(home), floor, token, max)
  end
  if sorted then
    local highest, kept = home_cut(home, count, others, floor, excess, reserve)
    if highest then
      redis.call('LPUSH', home, home_spell(tonumber(highest), token, kept, generation, pulled))
      return 0
    end
  end
  local entries, ahead = redis.call('LRANGE', home, 1, excess), {}
  local highest = home_highest(entries)
  local late, lowest = home_late(home, excess + reserve + 1, length, highest)
  if late then
    local below
    ahead, below = home_split(entries, lowest)
    if #ahead <= 2 * reserve then
      highest = home_highest(below)
    else
      home_sorted(home)
      if home_doubled(home, length) then
        return home_rewrite(home, home_ids(home), floor, token, max)
      end
      ahead, count, excess = {}, length, length - max
      highest = redis.call('LINDEX', home, excess)
    end
  end
  redis.call('LTRIM', home, excess + 1, -1)
  home_push(home, ahead, 1)
  floor, count = math.max(floor, tonumber(highest)), math.max(0, count - excess)
  redis.call('LPUSH', home, home_spell(floor, token, count, generation, pulled))
  return 0
end
