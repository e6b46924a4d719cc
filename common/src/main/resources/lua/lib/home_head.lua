-- The layout of a home (see Homes.java): element 0 is its head, 'f<floor>/<count>' when complete above the floor, 'b<floor>:<token>' while being built; then ids as they came.
-- The first count of them are sorted, ascending; a repeat stands beside the same id, so that the newest can be read without the rest; 'f<floor>' = none is known to be. A count may be too low,
-- never too high: a script that takes ids out lowers it. '@<generation>' follows when the shard had one as the home was created: see home_create.lua; '~<pulled>' follows once posts of
-- pulled authors have come into the home: it holds all of those up to that id: see home_pull.lua.

-- home_head(home): floor as a number, token as a string ('' = complete), count, generation and pulled as strings ('' = none), and all of it as it stands; nil when there is no home.
local function home_head(home)
  local head = redis.call('LINDEX', home, '0')
  if not head then
    return nil
  end
  local floor, count, token, generation, pulled = string.match(head, '^[fb](%d+)/?(%d*):?([^@~]*)@?(%d*)~?(%d*)$')
  return tonumber(floor), token, tonumber(count) or 0, generation, pulled, head
end
