#!lua
--[[
  follow - the follower's side of a new edge, with the job that finishes it, or a change of its terms, with the job that makes sure of the event; or a new edge in the place of one that has
           ended on the other side; or a request to follow, with the job that finishes it; or the follow that a request becomes

  KEYS[1]  user       HASH    of the follower
  KEYS[2]  following  ZSET    of the follower: account id by edge id
  KEYS[3]  ids        STRING  last id of the shard
  KEYS[4]  stats      HASH    of the queue
  KEYS[5]  lane       LIST    that the job waits in
  KEYS[6]  blocks     ZSET    of the follower: account id by edge id
  KEYS[7]  blockedby  ZSET    of the follower: account id by edge id
  KEYS[8]  noreposts  ZSET    of the follower: account id by edge id
  KEYS[9]  bells      ZSET    of the follower: account id by edge id
  KEYS[10] endorsed   ZSET    of the follower: account id by edge id
  KEYS[11] requesting ZSET    of the follower: account id by the edge of a request
  KEYS[12] asked      HASH    of the follower: account id to the terms of a request, '<reposts>,<notify>' or '<reposts>,<notify>,<languages>' as below
  KEYS[13] languages  HASH    of the follower: account id to '<edge> <codes>'
  ARGV[1]  now                ms, empty = the server's clock; witnessed, see lib/now.lua
  ARGV[2]  shard              of the follower
  ARGV[3]  follower
  ARGV[4]  followee
  ARGV[5]  max                accounts that one may follow or ask to follow
  ARGV[6]  depth_max          jobs that the lane may hold
  ARGV[7]  reposts            1 = wanted, 0 = not wanted, empty = as before, of a new edge 1
  ARGV[8]  notify             1 = told of each post, 0 = not told, empty = as before, of a new edge 0
  ARGV[9]  ended              edge that the followee's side holds for ended: if the set still has it, a new one takes its place; empty = none. To admit: the only request that is meant, empty = whichever there is
  ARGV[10] how                follow, which asks in the name of an account that a moderator has limited; ask = request it unless it is followed already; admit = make a follow of the request that there is
  ARGV[11] wants              codes of the languages of which posts are wanted, with spaces between; * = all, empty = as before, of a new edge all

  Returns  {'new', edge, id, request}, with an id as of changed terms when the follower is to be told of each post, and the edge of the request that this has ended, else '0' for them; {'same', edge} when it was so
           already; {'terms', edge, id} when only what is wanted of it has changed, under this id; {'requested', request}; {'asked', request} when it was requested already; {'none'} when there is no request
           to admit; {'inactive'} without an active account; {'full'} at the limit; {'busy'} when the lane is full; {'blocking'} when the follower blocks the followee, {'blocked'} when it is the other way round
  Holds    counter = size of the set; the version goes up with every change of the set, of noreposts or of languages, which are parts of it as bells and endorsed are, by the same edge; nobody follows or asks whom they block.
           Whom they are blocked by they follow and ask no more once that is known here: who links the block then ends both. Nobody is both followed and asked. A request is no follow: nothing but requesting
           and asked knows of it. Admitting is never refused for a full lane or at the limit: there are no more requests than follows may be
]]
--#include now
--#include bump
--#include next_id
--#include enqueue
--#include changes
--#include follow
local now = now_ms(ARGV[1])
local by = {
  now = now,
  shard = tonumber(ARGV[2]),
  max = tonumber(ARGV[5]),
  depth_max = tonumber(ARGV[6]),
  reposts = ARGV[7],
  notify = ARGV[8],
  ended = ARGV[9],
  wants = ARGV[11],
}
return follow(KEYS, by, ARGV[4], ARGV[10], one_by_one(KEYS[5], KEYS[4], now, ARGV[3]))
