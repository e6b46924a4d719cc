-- sort_nearly(ids, texts): sorts numbers that are nearly in order, and their texts with them; answers the first place that changed, #ids + 1 = none, or nil after so many moves that
-- another sort would be cheaper: then they are as they were, in another order.
local function sort_nearly(ids, texts)
  local changed, moves = #ids + 1, 0
  for i = 2, #ids do
    local id, text, at = ids[i], texts[i], i
    while at > 1 and ids[at - 1] > id do
      ids[at], texts[at] = ids[at - 1], texts[at - 1]
      at = at - 1
    end
    if at < i then
      ids[at], texts[at] = id, text
      changed, moves = math.min(changed, at), moves + i - at
      if moves > 20 * #ids then
        return nil
      end
    end
  end
  return changed
end

-- home_sort_end(home, floor, count, span): sorts what has come after the first count elements, together with the last span of those, so that the whole home is sorted without
-- repeats. Costs what it looks at; false when something older than all that has come: then only a full rewrite sorts it.
local function home_sort_end(home, floor, count, span)
  local from = math.max(1, count - span + 1)
  local low = from > 1 and tonumber(redis.call('LINDEX', home, from - 1)) or floor
  local texts, ids = redis.call('LRANGE', home, from, -1), {}
  for i = 1, #texts do
    ids[i] = tonumber(texts[i])
  end
  local changed = sort_nearly(ids, texts)
  if not changed then
    table.sort(ids)
    for i = 1, #ids do
      texts[i] = string.format('%.0f', ids[i])
    end
    changed = 1
  end
  if #ids > 0 and ids[1] <= low then
    return false
  end
  local kept = 1
  for i = 2, #ids do
    if ids[i] ~= ids[i - 1] then
      kept = kept + 1
      texts[kept] = texts[i]
    else
      changed = math.min(changed, kept + 1)
    end
  end
  if changed <= #ids then
    redis.call('LTRIM', home, 0, from + changed - 2)
    for first = changed, kept, 100 do
      redis.call('RPUSH', home, unpack(texts, first, math.min(first + 99, kept)))
    end
  end
  return true
end

-- home_trim(home, max, slack): when a home has grown over max + slack, sorts it and drops its lowest ids down to max; the floor becomes the highest one dropped. By id, not in
-- the order of coming: one's own posts are ahead of deliveries that wait in the queue, and after a backlog a cut by place would drop the newest. Mostly the end alone is out of
-- order, and this costs what has come since the last trim; where older ones have come, or nothing is sorted yet, it is a rewrite. The key never goes away.
local function home_trim(home, max, slack)
  local size = redis.call('LLEN', home) - 1
  local excess = size - max
  if excess <= slack then
    return 0
  end
  local floor, token, count = home_head(home)
  if token ~= '' or size - count > 4 * slack
      or not (home_sort_end(home, floor, count, 32) or home_sort_end(home, floor, count, excess)) then
    home_rewrite(home, home_ids(home), floor, token, max)
    return size + 1 - redis.call('LLEN', home)
  end
  local kept = redis.call('LLEN', home) - 1
  local drop = kept - max
  if drop > 0 then
    floor = tonumber(redis.call('LINDEX', home, drop))
    redis.call('LTRIM', home, drop + 1, -1)
    redis.call('LPUSH', home, home_spell(floor, token, max))
    return size - max
  end
  redis.call('LSET', home, 0, home_spell(floor, token, kept))
  return size - kept
end
