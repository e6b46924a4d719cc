-- The filters of an account, a HASH: 'version' to the id of the last change, and by the id of each
--   'f <action> <contexts> <expires, ms or 0> <title>'   a filter
--   'k <filter> <whole word, 1 or 0> <keyword>'          a keyword of one
--   's <filter> <status>'                                a status of one
-- What lies under a filter goes with it. Without any the key is not there.

-- filters_of(key): what is there by id, without the version
local function filters_of(key)
  local flat, all = redis.call('HGETALL', key), {}
  for i = 1, #flat, 2 do
    all[flat[i]] = flat[i + 1]
  end
  all.version = nil
  return all
end

-- under(line): the filter of a keyword or a status
local function under(line)
  return string.match(line, '^[ks] (%d+) ')
end

-- filters_size(all, kind): how many of a kind there are, and the bytes of all
local function filters_size(all, kind)
  local number, bytes = 0, 0
  for _, line in pairs(all) do
    number = number + (string.sub(line, 1, 1) == kind and 1 or 0)
    bytes = bytes + #line
  end
  return number, bytes
end

-- filters_put(key, before, after, version): writes what is different
local function filters_put(key, before, after, version)
  for id, _ in pairs(before) do
    if not after[id] then
      redis.call('HDEL', key, id)
    end
  end
  for id, line in pairs(after) do
    if before[id] ~= line then
      redis.call('HSET', key, id, line)
    end
  end
  if next(after) then
    redis.call('HSET', key, 'version', version)
  else
    redis.call('DEL', key)
  end
end

-- filters_differ(before, after): whether anything would be written
local function filters_differ(before, after)
  for id, line in pairs(after) do
    if before[id] ~= line then
      return true
    end
  end
  for id, _ in pairs(before) do
    if not after[id] then
      return true
    end
  end
  return false
end
