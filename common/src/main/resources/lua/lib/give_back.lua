-- give_back(uploads, media_due, media_bytes, owner, line, due, max): a picture that no status has any more is an upload of
-- its owner's again, until due in ms as text. With an empty due, and beyond max uploads, its files are to be deleted at
-- once, and are counted no more. Needs media_bytes.
local function give_back(uploads, media_due, media_bytes, owner, line, due, max)
  local id, name = string.match(line, '^(%d+) (%S+)')
  if not id then
    return
  end
  if due ~= '' and redis.call('HLEN', uploads) < max then
    redis.call('HSET', uploads, id, line)
    redis.call('ZADD', media_due, due, name .. ' ' .. owner .. ' ' .. id)
  else
    redis.call('ZADD', media_due, 0, name)
    note_bytes(media_bytes, id, 0)
  end
end
