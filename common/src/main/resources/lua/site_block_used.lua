#!lua
--[[
  site_block_used - count a sign-up that a block has refused

  KEYS[1]  {moderation}:block-uses  HASH  '<day> <id of the block>' to a count; swept: the day of the last sweep
  ARGV[1]  id
  ARGV[2]  day                      days since 1970, UTC
  ARGV[3]  days                     days that are kept
  ARGV[4]  max                      fields; beyond it a new one is not counted

  Returns  the count of the day; 0 = not counted
  Holds    the first use of a day removes the counts of older days than are kept
]]
local uses = KEYS[1]
local id, day, days, max = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
if tonumber(redis.call('HGET', uses, 'swept') or '-1') ~= day then
  for _, field in ipairs(redis.call('HGETALL', uses)) do
    local of = tonumber(string.match(field, '^(%d+) '))
    if of and of <= day - days then
      redis.call('HDEL', uses, field)
    end
  end
  redis.call('HSET', uses, 'swept', day)
end
local field = day .. ' ' .. id
if redis.call('HEXISTS', uses, field) == 0 and redis.call('HLEN', uses) > max then
  return 0
end
return redis.call('HINCRBY', uses, field, 1)
