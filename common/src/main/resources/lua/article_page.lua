#!lua flags=no-writes
--[[
  article_page - read the articles behind a place in the ranking by score

  KEYS[1]  score  ZSET  article by score
  ARGV[1]  from         score of the place
  ARGV[2]  after        article of the place
  ARGV[3]  limit        articles at most

  Returns  article, score of each, highest first
  Holds    the place is strict: articles of the same score neither repeat nor vanish between two pages
]]
local ranking, from, after, limit = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3])

local page, offset, chunk = {}, 0, limit + 5
repeat
  local found = redis.call('ZRANGE', ranking, from, '-inf', 'BYSCORE', 'REV', 'LIMIT', offset, chunk, 'WITHSCORES')
  for i = 1, #found, 2 do
    -- Redis orders entries of one score by their bytes. All are digits, so the order of Lua is the same.
    local behind = tonumber(found[i + 1]) < tonumber(from) or found[i] < after
    if behind and #page < 2 * limit then
      page[#page + 1] = found[i]
      page[#page + 1] = found[i + 1]
    end
  end
  offset = offset + chunk
until #page == 2 * limit or #found < 2 * chunk
return page
