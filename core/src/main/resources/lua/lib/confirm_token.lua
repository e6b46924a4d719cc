-- confirm_token(tokens, token, now): the holder of a listed token has given a code of the second factor, in epoch s; see issue_token.lua for the line.
local function confirm_token(tokens, token, now)
  local listed = redis.call('HGET', tokens, token)
  local before, after = string.match(listed, '^([^\t]*\t[^\t]*\t[^\t]*\t%d*)\t?%d*(.*)$')
  redis.call('HSET', tokens, token, (before or listed .. '\t\t\t') .. '\t' .. now .. (after or ''))
end
