#!lua
--[[
  post - publish a status: all of it or nothing

  KEYS[1]   user     HASH    of the author
  KEYS[2]   ids      STRING  last id of the shard
  KEYS[3]   profile  ZSET    the author's posts and reposts
  KEYS[4]   outbox   ZSET    the newest of them
  KEYS[5]   home     LIST    of the author, see lib/home_rewrite.lua
  KEYS[6]   stats    HASH    of the queue
  KEYS[7]   high     LIST    lane
  KEYS[8]   normal   LIST    lane
  KEYS[9]   low      LIST    lane
  KEYS[10]  reblogged ZSET   of the author: original by repost
  KEYS[11]  counts   HASH    of the shard
  KEYS[12]  comments_by ZSET  the author's comments by their ids, and direct messages by the negatives of theirs, where no page finds them
  KEYS[13]  pulled_authors ZSET of the shard: authors whom readers pull, by an id that none of their posts left to readers is above
  KEYS[14]  uploads  HASH    of the author: media id to line
  KEYS[15]  media_due ZSET   of the shard
  KEYS[16]  archive_due ZSET of the shard: author by the ms at which old statuses are to be moved
  KEYS[17]  timers   ZSET    of the shard: job by the ms at which it is to be started
  KEYS[18]  idem     STRING  '<status id> <hash of what was asked>'; absent when the caller gave no Idempotency-Key
  KEYS[19..]                 only of what was scheduled: scheduled and words of the author, see schedule.lua
  ARGV[1]   now              ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]   shard
  ARGV[3]   author
  ARGV[4]   prefix           of the status key, same slot: 'status:{s}:'
  ARGV[5]   outbox_max
  ARGV[6]   home_max
  ARGV[7]   home_slack
  ARGV[8]   page             followers that one job serves
  ARGV[9]   normal_max       followers that an author may have whose job waits in the normal lane
  ARGV[10]  depth_max        jobs that a lane may hold
  ARGV[11]  asked            hash of the request, which is the same for the same request whatever has become of what it names; empty when KEYS[18] is absent
  ARGV[12]  idem_ttl         seconds
  ARGV[13]  kind             'post'; 'repost'; 'comment' and 'direct', which are in no list but comments_by and in no home
  ARGV[14]  original         of a repost
  ARGV[15] rev               of the author's account that the status was made for, since what it does not say is as the account says; empty = whatever it is
  ARGV[16] push_max          followers that an author may have whose posts are pushed
  ARGV[17] lease             ms that readers may not have heard of an author to pull
  ARGV[18] media             ids of uploads that the status takes over, with spaces between; their lines are among its fields
  ARGV[19] profile_cap       statuses of a profile beyond which the oldest are to be moved into the archive, 0 = never
  ARGV[20] profile_age       ms after which a status of a profile is to be moved, 0 = never
  ARGV[21] scheduled         '<id> <ms>' of what was scheduled, which is published instead of being kept; its pictures are no uploads any more. Empty = nothing
  ARGV[22] poll_ends         ms at which the poll of the status ends; empty = it has none
  ARGV[23..] fields and values of the status

  Returns  {'posted', id, and of the account as it is now: rev, followers, following, posts, last}; {'repeated', id} for the same key and request; {'conflict'} for the same
           key with another request; {'reposted', id} of the earlier repost of the same original; {'outdated'} when rev is another; {'inactive'} without an active account;
           {'full', depth} when the lane of the job is full; {'media'} when an upload is not there any more;
           {'unscheduled'} when it is not scheduled for that moment
  Holds    status, profile, outbox, own home, counters, reblogged, comments_by, idempotency record, dial, pulled_authors and job appear together; an upload becomes part of one status at most; what was scheduled is published once; ids rise in commit order; one repost of an original
           at most; a post is either pushed, or left to readers who have been told of its author for the lease
]]
--#include now
--#include next_id
--#include enqueue
--#include home_rewrite
--#include home_order
--#include home_trim
--#include dial
--#include subject_ms
--#include archive_next
local user, ids, profile, outbox, home, stats, reblogged, counts = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[10], KEYS[11]
local comments_by, pulled_authors, uploads, media_due, archive_due, timers, idem = KEYS[12], KEYS[13], KEYS[14], KEYS[15], KEYS[16], KEYS[17], KEYS[18]
local now, shard, author, prefix = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]
local outbox_max, home_max, home_slack = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local page, normal_max, depth_max = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local asked, idem_ttl, kind, original, rev = ARGV[11], ARGV[12], ARGV[13], ARGV[14], ARGV[15]
local push_max, dial_lease, profile_cap, profile_age = tonumber(ARGV[16]), tonumber(ARGV[17]), tonumber(ARGV[19]), tonumber(ARGV[20])
-- Longer than a worker has an author, or lets it rest: such an entry of archive_due stays.
local archive_rest = 120000

local account = redis.call('HMGET', user, 'state', 'followers', 'rev', 'following', 'posts', 'last', 'dial')
local state, followers, rev_now, following = account[1], account[2] or '0', account[3] or '0', account[4] or '0'
local posts, last, dial = account[5] or '0', account[6] or '0', account[7] or ''

if idem then
  local record = redis.call('GET', idem)
  if record then
    local id, asked_then = string.match(record, '^(%d+) (.*)$')
    if asked_then == asked then
      return {'repeated', id}
    end
    return {'conflict'}
  end
end

local scheduled, due = string.match(ARGV[21], '^(%d+) (%d+)$')
if scheduled and redis.call('ZSCORE', KEYS[19], scheduled) ~= due then
  return {'unscheduled'}
end

if rev ~= '' and rev ~= rev_now then
  return {'outdated'}
end

if state ~= 'active' then
  return {'inactive'}
end

if kind == 'repost' then
  local earlier = redis.call('ZSCORE', reblogged, original)
  if earlier then
    return {'reposted', earlier}
  end
end

-- A long follower list must not stand in the way of short ones. The job of a comment or direct message does not read it.
local is_listed = kind == 'post' or kind == 'repost'
local lane = KEYS[9]
if tonumber(followers) <= page or not is_listed then
  lane = KEYS[7]
elseif tonumber(followers) <= normal_max then
  lane = KEYS[8]
end
local depth = redis.call('LLEN', lane)

local job, turned = 'fan_out', dial
if is_listed then
  -- A backlog turns the long lists to those who pull, until little of it is left; with the highest push_max nobody is pulled.
  local many, pulled = tonumber(followers)
  local wants_pull = many > push_max or push_max < 1e9 and many > page and 2 * depth > depth_max
  turned, pulled = dial_turn(dial, wants_pull, 2 * many <= push_max and 20 * depth <= depth_max, now, dial_lease)
  if pulled then
    lane, job = KEYS[7], 'announce'
    depth = redis.call('LLEN', lane)
  end
end
if depth >= depth_max then
  return {'full', depth}
end

local media = {}
for each in string.gmatch(ARGV[18], '%d+') do
  local line = redis.call('HGET', uploads, each)
  if not line then
    return {'media'}
  end
  media[each] = string.match(line, '^%d+ (%S+)')
end
for each, name in pairs(media) do
  redis.call('HDEL', uploads, each)
  redis.call('ZREM', media_due, name .. ' ' .. author .. ' ' .. each)
end

local id = next_id(ids, shard, now)
turned = string.gsub(turned, '#', id)
redis.call('HSET', prefix .. id, unpack(ARGV, 23))
if ARGV[22] ~= '' then
  redis.call('ZADD', timers, ARGV[22], 'end_poll' .. job_version .. author .. ' ' .. id .. ' 0')
end
if scheduled then
  redis.call('ZREM', KEYS[19], scheduled)
  redis.call('HDEL', KEYS[20], scheduled)
end
if is_listed then
  redis.call('ZADD', profile, id, id)
  local archive_at = archive_next(profile, profile_cap, profile_age, now)
  if archive_at and tonumber(redis.call('ZSCORE', archive_due, author) or '1e300') > archive_at + archive_rest then
    redis.call('ZADD', archive_due, string.format('%.0f', archive_at), author)
  end
  redis.call('ZADD', outbox, id, id)
  redis.call('ZREMRANGEBYRANK', outbox, 0, -outbox_max - 1)
  if redis.call('RPUSHX', home, id) > 0 then
    home_trim(home, home_max, home_slack)
  end
  posts, last = string.format('%.0f', tonumber(posts) + 1), id
  redis.call('HSET', user, 'posts', posts, 'last', last)
  dial_set(user, pulled_authors, author, dial, turned, id, job == 'announce')
  redis.call('HINCRBY', counts, 'statuses', 1)
else
  redis.call('ZADD', comments_by, kind == 'direct' and '-' .. id or id, id)
end
if kind == 'repost' then
  redis.call('ZADD', reblogged, id, original)
end
if idem then
  redis.call('SET', idem, id .. ' ' .. asked, 'EX', idem_ttl)
end
enqueue(lane, stats, now, job .. job_version .. author .. ' ' .. id .. ' 0')
if turned ~= dial and string.sub(turned, 1, 4) == 'down' then
  enqueue(KEYS[9], stats, now, 'catch_up' .. job_version .. author .. string.sub(turned, 5) .. ' 0')
end
return {'posted', id, rev_now, followers, following, posts, last}
