#!lua flags=no-writes
--[[
  article_voted - tell on which articles an account has voted

  KEYS     voters  SET  account, of each article
  ARGV[1]  voter

  Returns  1 or 0 for each
]]
--#include article_voters
local voted = {}
for i, voters in ipairs(KEYS) do
  voted[i] = article_has_voter(voters, ARGV[1])
end
return voted
