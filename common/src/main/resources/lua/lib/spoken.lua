-- spoken(languages, following): what HGETALL of the languages that an account wants answers, without lines of other edges than those of its follows: an unfollow by a process of an older version leaves them.
local function spoken(languages, following)
  local lines, standing = redis.call('HGETALL', languages), {}
  for i = 1, #lines, 2 do
    if string.match(lines[i + 1], '^%d+') == redis.call('ZSCORE', following, lines[i]) then
      standing[#standing + 1] = lines[i]
      standing[#standing + 1] = lines[i + 1]
    end
  end
  return standing
end
