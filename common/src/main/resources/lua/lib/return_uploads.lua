-- return_uploads(uploads, media_due, owner, json, until_ms): makes the pictures of what is not published uploads again,
-- which are deleted at that ms unless they are posted. json is what was to be published, as ScheduledCodec writes it.
local function return_uploads(uploads, media_due, owner, json, until_ms)
  for _, line in ipairs(cjson.decode(json).media or {}) do
    local media, name = string.match(line, '^(%d+) (%S+)')
    redis.call('HSET', uploads, media, line)
    redis.call('ZADD', media_due, until_ms, name .. ' ' .. owner .. ' ' .. media)
  end
end
