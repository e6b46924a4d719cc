-- The dial of an author (docs/feeds.md, section 4), field 'dial' of the user hash: absent = posts are pushed; 'up <ms>' = pushed, and readers have been told at that time to pull as well;
-- 'pull <from>' = what is posted from this id on is not pushed; 'down <from> <to>' = pushed again from the second id on, and a job catches up with what is between.

-- dial_turn(dial, wants_pull, wants_push, now, lease): what the next post makes of the dial: its next text ('' = absent), with '#' for the id of that post, and whether the post is left to
-- those who pull.
local function dial_turn(dial, wants_pull, wants_push, now, lease)
  local state, from = string.match(dial, '^(%a+) (%d+)')
  if not state then
    return wants_pull and string.format('up %.0f', now) or '', false
  elseif state == 'up' then
    if wants_push then
      return '', false
    elseif now - tonumber(from) >= lease then
      return 'pull #', true
    end
    return dial, false
  elseif wants_push then
    return state == 'pull' and 'down ' .. from .. ' #' or dial, false
  elseif state == 'pull' or wants_pull then
    return 'pull ' .. from, true
  end
  return dial, false
end

-- dial_set(user, pulled_authors, author, was, turned, id, pulled): stores that. Readers pull whoever is in pulled_authors.
local function dial_set(user, pulled_authors, author, was, turned, id, pulled)
  if turned == '' and was ~= '' then
    redis.call('HDEL', user, 'dial')
    redis.call('ZREM', pulled_authors, author)
  elseif turned ~= was then
    redis.call('HSET', user, 'dial', turned)
  end
  if pulled or was == '' and turned ~= '' then
    redis.call('ZADD', pulled_authors, id, author)
  end
end

-- dial_told(dial, pulled_authors, author, newest): whether readers pull the author as the dial says, up to the newest post that is left to them.
local function dial_told(dial, pulled_authors, author, newest)
  local told, state, from = redis.call('ZSCORE', pulled_authors, author), string.match(dial, '^(%a+) (%d+) ?(%d*)$')
  if not state or not told then
    return not state and not told
  end
  return state ~= 'pull' or tonumber(newest) < tonumber(from) or tonumber(told) >= tonumber(newest)
end
