-- The layout of a home (see Homes.java): element 0 is its head, 'f<floor>' when complete above the floor, 'b<floor>:<token>' while being built; then ids as they came.

-- home_head(home): floor as a number and token as a string ('' = complete); nil when there is no home.
local function home_head(home)
  local head = redis.call('LINDEX', home, 0)
  if not head then
    return nil
  end
  local floor, token = string.match(head, '^[fb](%d+):?(.*)$')
  return tonumber(floor), token
end

-- home_spell(floor, token): the head with these parts.
local function home_spell(floor, token)
  if token == '' then
    return 'f' .. string.format('%.0f', floor)
  end
  return 'b' .. string.format('%.0f', floor) .. ':' .. token
end

-- home_rewrite(home, ids, floor, token, max): REWRITE of feeds.md: keeps the ids above the floor, sorted and unique; when they are more than max, the newest max, and the floor
-- becomes the highest one dropped. The key never goes away in between, so its time to live stays.
local function home_rewrite(home, ids, floor, token, max)
  table.sort(ids)
  local first, kept = 1, {}
  for _, id in ipairs(ids) do
    if id > floor and id ~= kept[#kept] then
      kept[#kept + 1] = id
    end
  end
  if #kept > max then
    first = #kept - max + 1
    floor = kept[first - 1]
  end
  redis.call('LTRIM', home, 0, 0)
  redis.call('LSET', home, 0, home_spell(floor, token))
  for from = first, #kept, 100 do
    local chunk = {}
    for i = from, math.min(from + 99, #kept) do
      chunk[#chunk + 1] = string.format('%.0f', kept[i])
    end
    redis.call('RPUSH', home, unpack(chunk))
  end
end

-- home_ids(home): all ids of a home as numbers, as they came.
local function home_ids(home)
  local ids = redis.call('LRANGE', home, 1, -1)
  for i = 1, #ids do
    ids[i] = tonumber(ids[i])
  end
  return ids
end
