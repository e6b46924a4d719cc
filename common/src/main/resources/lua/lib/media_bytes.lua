-- note_bytes(media_bytes, id, bytes): notes how many bytes the files of an attachment have; 0 = it has none any more. The
-- length of before is taken out of the sum, so that a repetition counts and frees nothing twice. An attachment of a
-- version that noted no lengths has 0.
local function note_bytes(media_bytes, id, bytes)
  local more = bytes - tonumber(redis.call('HGET', media_bytes, id) or '0')
  if bytes > 0 then
    redis.call('HSET', media_bytes, id, bytes)
  else
    redis.call('HDEL', media_bytes, id)
  end
  if more ~= 0 and redis.call('HINCRBY', media_bytes, 'all', more) == 0 then
    redis.call('HDEL', media_bytes, 'all')
  end
end

-- has_room(media_bytes, bytes, max): whether an account may have so many bytes of files more; max: 0 = any. The second
-- answer is how many it has.
local function has_room(media_bytes, bytes, max)
  local all = tonumber(redis.call('HGET', media_bytes, 'all') or '0')
  return max == 0 or all + bytes <= max, all
end
