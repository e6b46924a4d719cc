-- take_uploads(uploads, media_due, owner, ids): removes uploads from their owner's list, and from those that are due to
-- be deleted, because the caller keeps their lines from now on. The ids are separated by spaces. Returns false, and
-- removes nothing, when one of them is not there.
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
