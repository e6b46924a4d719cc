#!lua flags=no-writes
--[[
  article_voter_count - tell how many accounts have voted on an article

  KEYS[1]  voters  SET  account

  Returns  their number; 0 when the voting is over
]]
--#include article_voters
return article_voter_count(KEYS[1])
