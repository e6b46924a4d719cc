#!lua
--[[
  dial_end - readers no longer pull an author, since their homes have caught up

  KEYS[1]  user    HASH  of the author
  KEYS[2]  pulled_authors  ZSET  of the shard: authors whom readers pull
  ARGV[1]  author
  ARGV[2]  from          what the job has caught up with: the posts from this id
  ARGV[3]  to            to this one

  Returns  1 when this was what there was to catch up with, 0 when the dial has turned since
]]
local user, pulled_authors, author = KEYS[1], KEYS[2], ARGV[1]

if redis.call('HGET', user, 'dial') ~= 'down ' .. ARGV[2] .. ' ' .. ARGV[3] then
  return 0
end
redis.call('HDEL', user, 'dial')
redis.call('ZREM', pulled_authors, author)
return 1
