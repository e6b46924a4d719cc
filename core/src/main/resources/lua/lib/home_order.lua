-- home_lower(home, count, id): how many of the first count entries, which are sorted, are lower than an id. Most ids are
-- late by little, so it looks near the end first.
local function home_lower(home, count, id)
  local lower, upper, step = count, count, 1
  while lower > 0 and not id_before(redis.call('LINDEX', home, lower), id) do
    lower, upper, step = math.max(0, lower - step), lower - 1, 4 * step
  end
  while lower < upper do
    local middle = math.ceil((lower + upper) / 2)
    if id_before(redis.call('LINDEX', home, middle), id) then
      lower = middle
    else
      upper = middle - 1
    end
  end
  return lower
end

-- home_run(home, count, pushed): how many of the ids behind the first count entries, which are sorted, go on with them.
local function home_run(home, count, pushed)
  local last = count > 0 and redis.call('LINDEX', home, count) or '0'
  for i = 1, #pushed do
    if not id_before(last, pushed[i]) then
      return i - 1
    end
    last = pushed[i]
  end
  return #pushed
end

-- home_order(home, floor, count): ORDER of docs/feeds.md, section 2: sorts what has been pushed since the first count
-- entries were sorted; returns how many entries there are then: all of them sorted, ascending; and how
-- many repeats it left out. A late delivery goes to its place, behind nothing newer. The head stays as it is.
local function home_order(home, floor, count)
  local pushed = redis.call('LRANGE', home, count + 1, '-1')
  local run = home_run(home, count, pushed)
  count = count + run
  if run == #pushed then
    return count, 0
  end
  local bottom, ids, even = string.format('%.0f', floor), {}, true
  for i = run + 1, #pushed do
    local id = pushed[i]
    if id_before(bottom, id) then
      ids[#ids + 1] = id
      even = even and #id == #ids[1]
    end
  end
  if even then
    table.sort(ids) -- Text of one length sorts as numbers do.
  else
    table.sort(ids, id_before)
  end
  local lower = ids[1] and home_lower(home, count, ids[1]) or count
  local newer = lower < count and redis.call('LRANGE', home, lower + 1, count) or {}
  local merged, at, from, repeats = {}, 1, 1, 0
  while at <= #ids or from <= #newer do
    local id = ids[at]
    if not id or newer[from] and id_before(newer[from], id) then
      id, from = newer[from], from + 1
    else
      at = at + 1
    end
    if id ~= merged[#merged] then
      merged[#merged + 1] = id
    else
      repeats = repeats + 1
    end
  end
  redis.call('LTRIM', home, '0', lower)
  home_push(home, merged, 1)
  return lower + #merged, repeats
end
