-- These functions change a home. lib/home_head.lua describes its layout. A script includes that file first.
-- Constants are passed as text: lib/enqueue.lua says why.

-- home_spell(floor, token, count, generation, pulled): the head with these parts.
local function home_spell(floor, token, count, generation, pulled)
  local of = (generation ~= '' and '@' .. generation or '') .. (pulled ~= '' and '~' .. pulled or '')
  if token ~= '' then
    return string.format('b%.0f:%s%s', floor, token, of)
  end
  if count > 0 then
    return string.format('f%.0f/%d%s', floor, count, of)
  end
  return string.format('f%.0f%s', floor, of)
end

-- home_push(home, texts, first): appends ids, from texts[first] on.
local function home_push(home, texts, first)
  for from = first, #texts, 100 do
    redis.call('RPUSH', home, unpack(texts, from, math.min(from + 99, #texts)))
  end
end

-- home_rewrite(home, ids, floor, token, max): REWRITE of docs/feeds.md, section 2: keeps the ids above the floor, sorted
-- and unique; when they are more than max, the newest max, and the floor becomes the highest one dropped. The key never
-- goes away in between, so its time to live stays. Returns how many repeats it left out.
local function home_rewrite(home, ids, floor, token, max)
  table.sort(ids)
  local first, kept, repeats = 1, {}, 0
  for _, id in ipairs(ids) do
    if id > floor and id ~= kept[#kept] then
      kept[#kept + 1] = id
    elseif id > floor then
      repeats = repeats + 1
    end
  end
  if #kept > max then
    first = #kept - max + 1
    floor = kept[first - 1]
  end
  for i = first, #kept do
    kept[i] = string.format('%.0f', kept[i])
  end
  local _, _, _, generation, pulled = home_head(home)
  redis.call('LTRIM', home, '0', '0')
  redis.call('LSET', home, '0', home_spell(floor, token, #kept - first + 1, generation, pulled))
  home_push(home, kept, first)
  return repeats
end

-- home_ids(home): all ids of a home as numbers, as they came.
local function home_ids(home)
  local ids = redis.call('LRANGE', home, '1', '-1')
  for i = 1, #ids do
    ids[i] = tonumber(ids[i])
  end
  return ids
end

-- home_take_out(home, id): removes an id from where it stands last, which is searched for from the tail: what is deleted is mostly new. At or below the floor only the newest 128 are
-- searched, since an id there has no meaning. Repeats are removed when one of them is among the newest 16; others may stay, and reads drop them. The count falls where a sorted id may
-- have gone.
local function home_take_out(home, id)
  local place = redis.call('LPOS', home, id, 'RANK', '-1', 'MAXLEN', '128')
  if not place then
    local floor = home_head(home)
    place = floor and tonumber(id) > floor and redis.call('LPOS', home, id, 'RANK', '-1')
    if not place then
      return
    end
  end
  local gone, sorted = redis.call('LREM', home, '-1', id), place
  if redis.call('LPOS', home, id, 'RANK', '-1', 'MAXLEN', '16') then
    gone, sorted = gone + redis.call('LREM', home, '0', id), 0
  end
  local count = tonumber(redis.call('LINDEX', home, '0'):match('^f%d+/(%d+)')) or 0
  if sorted <= count and count > 0 then
    local floor, token, _, generation, pulled = home_head(home)
    redis.call('LSET', home, '0', home_spell(floor, token, math.max(0, count - gone), generation, pulled))
  end
end
