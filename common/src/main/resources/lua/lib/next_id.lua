-- next_id(ids, shard, now, former): the next 53-bit id of a shard, as a decimal string (see Id.java). Never repeats and never goes back, even when the clock does. former: the counter
-- that this one goes on from while it is not there; nil = none.
-- Ids stay below 2^53, so doubles are exact; they must be formatted with %d, since tostring() would round them to 14 digits, and %.0f takes three times as long.
local function next_id(ids, shard, now, former)
  local tick = (now - 1704067200000) * 4
  local last = redis.call('GET', ids) or former and redis.call('GET', former)
  if last then
    last = tonumber(last)
    tick = math.max(tick, math.floor(last / 4096) * 4 + last % 4 + 1)
  end
  local id = string.format('%d', math.floor(tick / 4) * 4096 + shard * 4 + tick % 4)
  redis.call('SET', ids, id)
  return id
end
