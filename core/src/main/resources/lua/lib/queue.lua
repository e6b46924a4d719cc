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

-- How long a job is put off for which there is no room among the dead letters, ms.
local NO_ROOM_MILLIS = 600000

-- bury(dead, stats, now, line, reason, keep, age): puts a job into the dead letters as '<reason>\t<line>' (a reason never holds a tab, see JobQueue.java) and lets go of what is too
-- old. An equal letter that is there already stands for both, so that one of the two counts as dropped. Returns false, and has done nothing to the job, when as many letters are
-- there as are kept: none makes way for another, since each is an accepted job. The caller puts the job off by NO_ROOM_MILLIS then.
local function bury(dead, stats, now, line, reason, keep, age)
  count(stats, 'dropped', redis.call('ZREMRANGEBYSCORE', dead, '-inf', now - age))
  local letter = reason .. '\t' .. line
  if redis.call('ZCARD', dead) >= keep and not redis.call('ZSCORE', dead, letter) then
    return false
  end
  count(stats, 'buried', 1)
  count(stats, 'dropped', 1 - redis.call('ZADD', dead, now, letter))
  return true
end
