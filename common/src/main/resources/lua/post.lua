#!lua
--[[
  post - publish a status: all of it or nothing

  KEYS[1]   user     HASH    of the author
  KEYS[2]   ids      STRING  last id of the shard
  KEYS[3]   profile  ZSET    the author's posts and reposts
  KEYS[4]   outbox   ZSET    the newest of them
  KEYS[5]   home     LIST    of the author, see lib/home_head.lua
  KEYS[6]   stats    HASH    of the queue
  KEYS[7]   high     LIST    lane
  KEYS[8]   normal   LIST    lane
  KEYS[9]   low      LIST    lane
  KEYS[10]  counts   HASH    of the shard
  KEYS[11]  pulled_authors ZSET of the shard: authors whom readers pull, by an id that none of their posts left to readers is above
  KEYS[12]  archive_due ZSET of the shard: author by the ms at which old statuses are to be moved
  and of the following those that this status needs, one behind the other:
  KEYS[13?] idem     STRING  of one with an Idempotency-Key: '<status id> <hash of what was asked>'
  KEYS[14?] reblogged ZSET   of a repost: the author's, original by repost
  KEYS[15?] comments_by ZSET of a comment or direct message: the author's comments by their ids, and direct messages by the negatives of theirs, where no page finds them
  KEYS[16?] uploads  HASH    of one with media: the author's, media id to line
  KEYS[17?] media_due ZSET   the same: of the shard
  KEYS[18?] timers   ZSET    of one with a poll: of the shard, job by the ms at which it is to be started
  KEYS[19?] scheduled ZSET   of what was scheduled: the author's, see schedule.lua
  KEYS[20?] scheduled_words HASH the same
  ARGV[1]   now              ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]   shard
  ARGV[3]   author
  ARGV[4]   prefix           of the status key, same slot: 'status:{s}:'
  ARGV[5]   limits           numbers that are the same at each call, packed as doubles, since each argument costs as much as all of them then:
                             home_max; home_slack;
                             page: followers that one job serves;
                             normal_max: followers that an author may have whose job waits in the normal lane;
                             depth_max: jobs that a lane may hold;
                             push_max: followers that an author may have whose posts are pushed;
                             lease: ms that readers may not have heard of an author to pull;
                             profile_cap: statuses of a profile beyond which the oldest are to be moved into the archive, 0 = never;
                             profile_age: ms after which a status of a profile is to be moved, 0 = never;
                             idem_ttl: seconds
  ARGV[6]   outbox_end       rank of the newest that leaves the outbox: -1 - feeds.outbox-max
  ARGV[7]   kind             'post'; 'repost'; 'comment' and 'direct', which are in no list but comments_by and in no home
  ARGV[8]   rev              of the author's account that the status was made for, since what it does not say is as the account says; empty = whatever it is, as long as no moderator has restricted the account
  ARGV[9]   digest           hash of the request, which is the same for the same request whatever has become of what it names; empty = no idem
  ARGV[10]  original         of a repost
  ARGV[11]  media            ids of uploads that the status takes over, with spaces between; their lines are among its fields
  ARGV[12]  poll_ends        ms at which the poll of the status ends; empty = it has none
  ARGV[13]  due              '<id> <ms>' of what was scheduled, which is published instead of being kept; its pictures are no uploads any more. Empty = nothing
  ARGV[14..] fields and values of the status

  Returns  {'posted', id, and of the account as it is now: rev, followers, following, posts, last}; {'repeated', id} for the same key and request; {'conflict'} for the same
           key with another request; {'reposted', id} of the earlier repost of the same original; {'outdated'} when rev is another, or empty for an account that is limited or sensitized; {'inactive'} without an active account;
           {'full', depth} when the lane of the job is full; {'media'} when an upload is not there any more;
           {'unscheduled'} when it is not scheduled for that moment
  Holds    status, profile, outbox, own home, counters, the count of the week, reblogged, comments_by, idempotency record, dial, pulled_authors and job appear together; an upload becomes part of one status at most; what was scheduled is published once; ids rise in commit order; one repost of an original
           at most; a post is either pushed, or left to readers who have been told of its author for the lease
]]
--#include now
--#include next_id
--#include enqueue
--#include dial
--#include subject_ms
--#include archive_next
--#include count_week
local user, ids, profile, outbox, home, stats, high, normal, low, counts, pulled_authors, archive_due =
  unpack(KEYS, 1, 12)
local now, shard, author, prefix, outbox_end = now_ms(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[6]
local home_max, home_slack, page, normal_max, depth_max, push_max, dial_lease, profile_cap, profile_age, idem_ttl =
  struct.unpack('>dddddddddd', ARGV[5])
local kind, rev, digest, original, media, poll_ends, due =
  ARGV[7], ARGV[8], ARGV[9], ARGV[10], ARGV[11], ARGV[12], ARGV[13]
local is_listed = kind == 'post' or kind == 'repost'
-- Longer than a worker has an author, or lets it rest: such an entry of archive_due stays.
local archive_rest = 120000

local place = 12
local function next_key()
  place = place + 1
  return KEYS[place]
end
local idem = digest ~= '' and next_key()
local reblogged = kind == 'repost' and next_key()
local comments_by = not is_listed and next_key()
local uploads = media ~= '' and next_key()
local media_due = media ~= '' and next_key()
local timers = poll_ends ~= '' and next_key()
local scheduled = due ~= '' and next_key()
local scheduled_words = due ~= '' and next_key()

local account =
  redis.call('HMGET', user, 'state', 'followers', 'rev', 'following', 'posts', 'last', 'dial', 'limited', 'sensitized')
local state, followers, rev_now, following = account[1], account[2] or '0', account[3] or '0', account[4] or '0'
local posts, last, dial = account[5] or '0', account[6] or '0', account[7] or ''

if idem then
  local record = redis.call('GET', idem)
  if record then
    local id, earlier = string.match(record, '^(%d+) (.*)$')
    if earlier == digest then
      return { 'repeated', id }
    end
    return { 'conflict' }
  end
end

local scheduled_id, due_ms
if scheduled then
  scheduled_id, due_ms = string.match(due, '^(%d+) (%d+)$')
  if redis.call('ZSCORE', scheduled, scheduled_id) ~= due_ms then
    return { 'unscheduled' }
  end
end

local is_restricted = account[8] or account[9]
if rev == '' and is_restricted or rev ~= '' and rev ~= rev_now then
  return { 'outdated' }
end

if state ~= 'active' then
  return { 'inactive' }
end

if reblogged then
  local earlier = redis.call('ZSCORE', reblogged, original)
  if earlier then
    return { 'reposted', earlier }
  end
end

-- A long follower list must not stand in the way of short ones. The job of a comment or direct message does not read it.
local many = tonumber(followers)
local lane = low
if many <= page or not is_listed then
  lane = high
elseif many <= normal_max then
  lane = normal
end
local depth = redis.call('LLEN', lane)

local job, turned = is_listed and 'fan_out' or 'announce', dial
if is_listed then
  -- A backlog turns the long lists to those who pull, until little of it is left; with the highest push_max nobody is pulled.
  local wants_pull = many > push_max or push_max < 1e9 and many > page and 2 * depth > depth_max
  local pulled
  turned, pulled = dial_turn(dial, wants_pull, 2 * many <= push_max and 20 * depth <= depth_max, now, dial_lease)
  if pulled then
    lane, job = high, 'announce'
    depth = redis.call('LLEN', lane)
  end
end
if depth >= depth_max then
  return { 'full', depth }
end

if idem then
  -- Who asks without a key, and is not answered, may post twice anyhow.
  --#check
end
if uploads then
  -- Made here and not above, since every call of a script makes its functions anew, and few calls need these.
  --#include take_uploads
  if not take_uploads(uploads, media_due, author, media) then
    return { 'media' }
  end
end

local id = next_id(ids, shard, now)
turned = string.gsub(turned, '#', id)
redis.call('HSET', prefix .. id, unpack(ARGV, 14))
if timers then
  redis.call('ZADD', timers, poll_ends, 'end_poll' .. job_version .. author .. ' ' .. id .. ' 0')
end
if scheduled then
  redis.call('ZREM', scheduled, scheduled_id)
  redis.call('HDEL', scheduled_words, scheduled_id)
end
if is_listed then
  redis.call('ZADD', profile, id, id)
  local archive_at = archive_next(profile, profile_cap, profile_age, now)
  if archive_at and tonumber(redis.call('ZSCORE', archive_due, author) or '1e300') > archive_at + archive_rest then
    redis.call('ZADD', archive_due, string.format('%d', archive_at), author)
  end
  redis.call('ZADD', outbox, id, id)
  redis.call('ZREMRANGEBYRANK', outbox, '0', outbox_end)
  if redis.call('RPUSHX', home, id) - 1 > home_max + home_slack then
    -- Made here for the same reason.
    --#include home_head
    --#include home_rewrite
    --#include id_before
    --#include home_trim
    home_trim(home, home_max, home_slack)
  end
  posts, last = string.format('%d', posts + 1), id
  redis.call('HSET', user, 'posts', posts, 'last', last)
  dial_set(user, pulled_authors, author, dial, turned, id, job == 'announce')
  redis.call('HINCRBY', counts, 'statuses', '1')
else
  redis.call('ZADD', comments_by, kind == 'direct' and '-' .. id or id, id)
end
if reblogged then
  redis.call('ZADD', reblogged, id, original)
else
  count_week(counts, 'posts', now, 1)
end
if idem then
  redis.call('SET', idem, id .. ' ' .. digest, 'EX', idem_ttl)
end
enqueue(lane, stats, now, job .. job_version .. author .. ' ' .. id .. ' 0')
if turned ~= dial and string.sub(turned, 1, 4) == 'down' then
  enqueue(low, stats, now, 'catch_up' .. job_version .. author .. string.sub(turned, 5) .. ' 0')
end
return { 'posted', id, rev_now, followers, following, posts, last }
