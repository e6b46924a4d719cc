-- article_place(id, votes): the score of an article. An id contains its time, see Id.java.
local function article_place(id, votes)
  return math.floor((math.floor(tonumber(id) / 4096) + 1704067200000) / 1000) + 432 * votes
end

-- article_votes(id, place): the votes of an article with that score.
local function article_votes(id, place)
  return (tonumber(place) - article_place(id, 0)) / 432
end

-- article_rank(ranking, place, id, max, prefix): puts an article at a place in a ranking, which keeps its highest max. Only a
-- new entry can make it too long; a hundred go at once at most, so that a smaller max makes no pause. With prefix, the key
-- of an article without its id, whatever goes keeps its votes there.
local function article_rank(ranking, place, id, max, prefix)
  if redis.call('ZADD', ranking, place, id) == 0 then
    return
  end
  local excess = math.min(redis.call('ZCARD', ranking) - max, 100)
  if excess <= 0 then
    return
  end
  if prefix then
    local lowest = redis.call('ZRANGE', ranking, 0, excess - 1, 'WITHSCORES')
    for i = 1, #lowest, 2 do
      redis.call('HSET', prefix .. lowest[i], 'votes', article_votes(lowest[i], lowest[i + 1]))
    end
  end
  redis.call('ZREMRANGEBYRANK', ranking, 0, excess - 1)
end
