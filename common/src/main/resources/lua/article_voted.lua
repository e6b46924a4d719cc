#!lua flags=no-writes
--[[
  article_voted - tell on which articles an account has voted

  KEYS     voters  ZSET  account by the score that its vote has brought, of each article
  ARGV[1]  voter

  Returns  1 or 0 for each
]]
local voted = {}
for i, voters in ipairs(KEYS) do
  voted[i] = redis.call('ZSCORE', voters, ARGV[1]) and 1 or 0
end
return voted
