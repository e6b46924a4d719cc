#!lua flags=no-writes
--[[
  tag_complete - the names of hashtags that begin with some letters, the most used first

  KEYS[1]  {trends}:names   ZSET  see tag_names.lua
  KEYS[2]  {trends}:scores  ZSET
  ARGV[1]  prefix  folded
  ARGV[2]  most    of the most used names of all, how many are looked at
  ARGV[3]  next    of the names that begin so, how many are looked at, in their order
  ARGV[4]  limit   of the answer

  Returns  folded tags
  Holds    costs at most so many looks, however many names begin so
]]
local names, scores = unpack(KEYS)
local prefix, limit = ARGV[1], tonumber(ARGV[4])

local found, seen = {}, {}
local function take(tag, score)
  if not seen[tag] then
    seen[tag] = true
    found[#found + 1] = { tag, tonumber(score) or 0 }
  end
end
local most = redis.call('ZRANGE', scores, 0, tonumber(ARGV[2]) - 1, 'REV', 'WITHSCORES')
for i = 1, #most, 2 do
  if string.sub(most[i], 1, #prefix) == prefix then
    take(most[i], most[i + 1])
  end
end
local ordered = redis.call('ZRANGE', names, '[' .. prefix, '(' .. prefix .. '\255', 'BYLEX', 'LIMIT', 0, ARGV[3])
if #ordered > 0 then
  local of = redis.call('ZMSCORE', scores, unpack(ordered))
  for i, tag in ipairs(ordered) do
    take(tag, of[i])
  end
end
table.sort(found, function(a, b)
  return a[2] > b[2] or (a[2] == b[2] and a[1] < b[1])
end)
local tags = {}
for i = 1, math.min(limit, #found) do
  tags[i] = found[i][1]
end
return tags
