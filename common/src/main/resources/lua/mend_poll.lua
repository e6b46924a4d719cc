#!lua flags=allow-oom
--[[
  mend_poll - count the votes of a poll again, by what its voters have chosen

  KEYS[1]  votes  HASH  see poll_vote.lua

  Returns  the number of voters
  Holds    reads and sets in one step; the voters keep their order, those that had no place come last
]]
local votes = KEYS[1]
local fields = redis.call('HGETALL', votes)
local chosen, counts, places, placed, voters = {}, {}, {}, {}, {}
for i = 1, #fields, 2 do
  local place = string.match(fields[i], '^n(%d+)$')
  if place then
    places[#places + 1] = {tonumber(place), fields[i + 1]}
  elseif string.match(fields[i], '^%d+$') then
    chosen[fields[i]] = fields[i + 1]
    for option in string.gmatch(fields[i + 1], '%d+') do
      counts[option] = (counts[option] or 0) + 1
    end
  end
end
table.sort(places, function(a, b) return a[1] < b[1] end)
for _, place in ipairs(places) do
  local voter = place[2]
  if chosen[voter] and not placed[voter] then
    placed[voter] = true
    voters[#voters + 1] = voter
  end
end
for i = 1, #fields, 2 do
  if chosen[fields[i]] and not placed[fields[i]] then
    placed[fields[i]] = true
    voters[#voters + 1] = fields[i]
  end
end
for i = 1, #fields, 2 do
  if not chosen[fields[i]] then
    redis.call('HDEL', votes, fields[i])
  end
end
for option, count in pairs(counts) do
  redis.call('HSET', votes, 'v' .. option, count)
end
for i, voter in ipairs(voters) do
  redis.call('HSET', votes, 'n' .. i, voter)
end
if #voters > 0 then
  redis.call('HSET', votes, 'voters', #voters)
end
return #voters
