-- take_uploads(uploads, media_due, owner, ids): takes uploads from their owner, whose lines somebody else has from now on; ids has spaces between. False when one is not there: then
-- nothing is taken.
local function take_uploads(uploads, media_due, owner, ids)
  local names = {}
  for id in string.gmatch(ids, '%d+') do
    local line = redis.call('HGET', uploads, id)
    if not line then
      return false
    end
    names[id] = string.match(line, '^%d+ (%S+)')
  end
  for id, name in pairs(names) do
    redis.call('HDEL', uploads, id)
    redis.call('ZREM', media_due, name .. ' ' .. owner .. ' ' .. id)
  end
  return true
end
