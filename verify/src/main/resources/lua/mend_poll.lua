#!lua flags=allow-oom
--[[
  mend_poll - count the votes of a poll again, by what its voters have chosen

  KEYS[1]  votes    HASH  see poll_vote.lua
  ARGV[1]  options        that a poll has at most, 10 or fewer

  Returns  the number of voters
  Holds    reads and sets in one step, and writes what is wrong only; the voters keep their order, those that had no place come last; a choice that is none of the options goes, and so does a voter without any left
]]
local votes = KEYS[1]
local options = tonumber(ARGV[1])
local fields = redis.call('HGETALL', votes)
local before, after, counts, places, voters = {}, {}, {}, {}, {}

local function choices(value)
  local kept, seen = {}, {}
  for option in string.gmatch(value .. ',', '([^,]*),') do
    if string.match(option, '^%d$') and tonumber(option) < options and not seen[option] then
      seen[option] = true
      kept[#kept + 1] = option
    end
  end
  return kept
end

for i = 1, #fields, 2 do
  local field, value = fields[i], fields[i + 1]
  before[field] = value
  local place = string.match(field, '^n(%d+)$')
  if place then
    places[#places + 1] = { tonumber(place), value }
  elseif string.match(field, '^%d+$') then
    local kept = choices(value)
    if #kept > 0 then
      after[field] = table.concat(kept, ',')
      for _, option in ipairs(kept) do
        counts[option] = (counts[option] or 0) + 1
      end
    end
  end
end

table.sort(places, function(a, b)
  return a[1] < b[1]
end)
local placed = {}
local function place(voter)
  if after[voter] and not placed[voter] then
    placed[voter] = true
    voters[#voters + 1] = voter
  end
end
for _, at in ipairs(places) do
  place(at[2])
end
for i = 1, #fields, 2 do
  place(fields[i])
end

for option, count in pairs(counts) do
  after['v' .. option] = tostring(count)
end
for i, voter in ipairs(voters) do
  after['n' .. i] = voter
end
if #voters > 0 then
  after['voters'] = tostring(#voters)
end
for field in pairs(before) do
  if not after[field] then
    redis.call('HDEL', votes, field)
  end
end
for field, value in pairs(after) do
  if before[field] ~= value then
    redis.call('HSET', votes, field, value)
  end
end
return #voters
