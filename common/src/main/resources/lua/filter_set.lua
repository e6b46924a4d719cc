#!lua
--[[
  filter_set - makes a filter of statuses, or changes one, with its keywords, and with the job that makes sure of the event

  KEYS[1]  user     HASH    of the owner
  KEYS[2]  filters  HASH    of the owner: see lib/filters.lua
  KEYS[3]  ids      STRING  last id of the shard
  KEYS[4]  stats    HASH    of the queue
  KEYS[5]  high     LIST    lane
  ARGV[1]   now           ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]   shard         of the owner
  ARGV[3]   owner
  ARGV[4]   id            of the filter or of a keyword of it; empty = a new filter
  ARGV[5]   kind          what the id is of: f or k
  ARGV[6]   title         empty = as before
  ARGV[7]   contexts      with commas; empty = as before
  ARGV[8]   action        empty = as before
  ARGV[9]   expires       ms, 0 = never; empty = as before
  ARGV[10]  alone         1 = its own fields change only when it has one keyword, since the caller knows no others: its title stays then, and what else differs is refused
  ARGV[11]  filters_max   filters that one may have
  ARGV[12]  keywords_max  keywords of all of them
  ARGV[13]  bytes_max     of all that is kept of one account
  ARGV[14]  depth_max     jobs that the lane may hold
  ARGV[15..]              for each keyword that changes its id (empty = a new one), the keyword (empty = as before), and whether it is a whole word: 1 or 0, empty = as before, - = it goes

  Returns  {'set', filter, id of the change or '0' when there was none, all that is there then as HGETALL answers, id of the first new keyword or '0'}; {'unknown'} without such a filter or
           keyword; {'inactive'} without an active account; {'filters'}, {'keywords'} or {'bytes'} at a limit; {'shared'} when it is not alone; {'busy'} when the lane is full
  Holds    a keyword lies under a filter that there is; a change and the job that tells of it come together
]]
--#include now
--#include next_id
--#include enqueue
--#include filters
local user, key, ids, stats, high = unpack(KEYS)
local now, shard, owner, id, kind = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local title, contexts, action, expires, alone = ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10] == '1'
local filters_max, keywords_max, bytes_max, depth_max =
  tonumber(ARGV[11]), tonumber(ARGV[12]), tonumber(ARGV[13]), tonumber(ARGV[14])

local before = filters_of(key)
local filter
if id == '' then
  if redis.call('HGET', user, 'state') ~= 'active' then
    return { 'inactive' }
  end
  if filters_size(before, 'f') >= filters_max then
    return { 'filters' }
  end
  filter = next_id(ids, shard, now)
else
  local line = before[id]
  if not line or string.sub(line, 1, 1) ~= kind then
    return { 'unknown' }
  end
  filter = kind == 'k' and under(line) or id
end

local after, keywords = {}, 0
for at, line in pairs(before) do
  after[at] = line
  keywords = keywords + (string.sub(line, 1, 1) == 'k' and under(line) == filter and 1 or 0)
end
local old_action, old_contexts, old_expires, old_title = 'warn', '', '0', ''
if before[filter] then
  old_action, old_contexts, old_expires, old_title = string.match(before[filter], '^f (%l+) ([%l,]*) (%d+) (.*)$')
end
action = action == '' and old_action or action
contexts = contexts == '' and old_contexts or contexts
expires = expires == '' and old_expires or expires
title = title == '' and old_title or title
if alone and keywords > 1 then
  if action ~= old_action or contexts ~= old_contexts or expires ~= old_expires then
    return { 'shared' }
  end
  title = old_title
end
after[filter] = string.format('f %s %s %s %s', action, contexts, expires, title)

local first = '0'
for i = 15, #ARGV, 3 do
  local at, keyword, whole = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local old_whole, old_keyword = '1', ''
  if at == '' then
    at = next_id(ids, shard, now)
    first = first == '0' and at or first
  else
    local line = after[at]
    if not line or under(line) ~= filter or string.sub(line, 1, 1) ~= 'k' then
      return { 'unknown' }
    end
    old_whole, old_keyword = string.match(line, '^k %d+ (%d) (.*)$')
  end
  if whole == '-' then
    after[at] = nil
  else
    after[at] =
      string.format('k %s %s %s', filter, whole == '' and old_whole or whole, keyword == '' and old_keyword or keyword)
  end
end

if filters_differ(before, after) then
  local number, bytes = filters_size(after, 'k')
  local old_number, old_bytes = filters_size(before, 'k')
  if number > keywords_max and number > old_number then
    return { 'keywords' }
  end
  if bytes > bytes_max and bytes > old_bytes then
    return { 'bytes' }
  end
  if redis.call('LLEN', high) >= depth_max then
    return { 'busy' }
  end
  local change = next_id(ids, shard, now)
  filters_put(key, before, after, change)
  enqueue(high, stats, now, 'terms' .. job_version .. owner .. ' ' .. owner .. ' ' .. change)
  return { 'set', filter, change, redis.call('HGETALL', key), first }
end
return { 'set', filter, '0', redis.call('HGETALL', key), first }
