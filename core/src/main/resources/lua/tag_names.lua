#!lua
--[[
  tag_names - remember the names of hashtags that public statuses have, so that they are found by how they begin

  KEYS[1]  {trends}:names   ZSET  folded tag, all of the score 0: in the order of their bytes
  KEYS[2]  {trends}:scores  ZSET  folded tag by how much it is used: its accounts of a day, and half of what was before
  KEYS[3]  {trends}:days    ZSET  folded tag by the newest day of a use
  ARGV[1]  max     names that are kept, those used last
  ARGV[2]  oldest  day; names that were not used since go
  ARGV[3]  ttl     seconds
  ARGV[4..]        folded tag, day, and how many accounts have used it on that day, in turn

  Returns  how many names are kept
  Holds    the three keys have the same members; the same call again changes nothing
]]
local names, scores, days = unpack(KEYS)
local max, oldest, ttl = tonumber(ARGV[1]), ARGV[2], ARGV[3]

for i = 4, #ARGV, 3 do
  local tag, day, accounts = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  local last = redis.call('ZSCORE', days, tag)
  local score = tonumber(redis.call('ZSCORE', scores, tag) or '0')
  if not last or day > tonumber(last) then
    redis.call('ZADD', scores, math.floor(score / 2) + accounts, tag)
    redis.call('ZADD', days, day, tag)
    redis.call('ZADD', names, 0, tag)
  elseif day == tonumber(last) and accounts > score then
    redis.call('ZADD', scores, accounts, tag)
  end
end
local gone = redis.call('ZRANGE', days, '-inf', '(' .. oldest, 'BYSCORE', 'LIMIT', 0, 500)
if #gone == 0 and redis.call('ZCARD', days) > max then
  gone = redis.call('ZRANGE', days, 0, math.min(500, redis.call('ZCARD', days) - max) - 1)
end
if #gone > 0 then
  for _, key in ipairs(KEYS) do
    redis.call('ZREM', key, unpack(gone))
  end
end
for _, key in ipairs(KEYS) do
  redis.call('EXPIRE', key, ttl)
end
return redis.call('ZCARD', days)
