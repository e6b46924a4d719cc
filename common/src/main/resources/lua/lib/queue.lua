-- append_all(list, items): RPUSHes all items in their order; in portions, since unpack has a limit.
local function append_all(list, items)
  for first = 1, #items, 150 do
    redis.call('RPUSH', list, unpack(items, first, math.min(first + 149, #items)))
  end
end

-- count(stats, field, n): adds to a counter of the shard, sparing the call when there is nothing to add.
local function count(stats, field, n)
  if n ~= 0 then
    redis.call('HINCRBY', stats, field, n)
  end
end

-- bury(dead, stats, now, line, reason, keep, age): puts a job into the dead letters as '<reason>\t<line>' (a reason never holds a tab, see JobQueue.java) and lets go of
-- what is over the cap or too old. An equal letter that is there already stands for both, so that one of the two counts as dropped.
local function bury(dead, stats, now, line, reason, keep, age)
  local added = redis.call('ZADD', dead, now, reason .. '\t' .. line)
  local aged = redis.call('ZREMRANGEBYSCORE', dead, '-inf', now - age)
  local over = redis.call('ZREMRANGEBYRANK', dead, 0, -keep - 1)
  count(stats, 'buried', 1)
  count(stats, 'dropped', 1 - added + aged + over)
end
