-- confirm_token(tokens, token, now): the holder of a listed token has given a code of the second factor, in epoch s; see issue_token.lua for the line.
local function confirm_token(tokens, token, now)
  local listed = redis.call('HGET', tokens, token)
  local before = string.match(listed, '^[^\t]*\t[^\t]*\t[^\t]*\t%d*') or listed .. '\t\t\t'
  redis.call('HSET', tokens, token, before .. '\t' .. now)
end
