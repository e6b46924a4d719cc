#!lua
--[[
  article_publish - publish how articles stand that have been voted on

  KEYS[1]  score    ZSET  article by score
  ARGV[1]  channel, by PUBLISH since it is in another slot than the score
  ARGV[2]  id       of the article
  ...               those of further articles

  Returns  how many articles were published
  Holds    scores are read and published in one step, so that on the channel the score of an article never falls; a deleted article,
           which has no score, is not published
]]
local scores = redis.call('ZMSCORE', KEYS[1], unpack(ARGV, 2))
local told = {}
for i, score in ipairs(scores) do
  if score then
    told[#told + 1] = ARGV[i + 1] .. ' ' .. score
  end
end
if #told > 0 then
  redis.call('PUBLISH', ARGV[1], table.concat(told, ' '))
end
return #told
