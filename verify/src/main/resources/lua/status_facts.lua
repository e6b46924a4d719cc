#!lua flags=no-writes
--[[
  status_facts - what a status refers to, and its counters beside what they count, at one instant

  KEYS[1]     status  HASH
  KEYS[2..5]  likes, reposts, quotes, comments  ZSET  of the status
  KEYS[6]     votes   HASH  of its poll

  Returns  {uid or '', 1 when it is a tombstone, kind or '', orig, reply, root, then for each of KEYS[2..5] what is counted and the number, then the fields of KEYS[6]}; a status that is referred to is '0' when there is none, and orig also of a quote that shows it no more
]]
local fields = redis.call(
  'HMGET',
  KEYS[1],
  'uid',
  'gone',
  'kind',
  'orig',
  'reply',
  'root',
  'likes',
  'reposts',
  'quotes',
  'comments',
  'unquoted'
)
local facts = {
  fields[1] or '',
  fields[2] and 1 or 0,
  fields[3] or '',
  not fields[11] and fields[4] or '0',
  fields[5] or '0',
  fields[6] or '0',
}
for i = 2, 5 do
  facts[#facts + 1] = fields[i + 5] or '0'
  facts[#facts + 1] = redis.call('ZCARD', KEYS[i])
end
facts[#facts + 1] = redis.call('HLEN', KEYS[6])
return facts
