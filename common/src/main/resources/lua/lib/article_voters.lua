-- Voters are a SET, and a LIST in the order of their votes. Those of articles that versions before ranked are a ZSET, by the
-- scores that their votes brought, and stay one until they expire.

-- article_ballot(voters, ballots, voter, place): notes a vote that brings the score place; 1, or 0 when the voter has voted
-- already, or the error when voters have another type.
local function article_ballot(voters, ballots, voter, place)
  local added = redis.pcall('SADD', voters, voter)
  if added == 1 then
    redis.pcall('RPUSH', ballots, voter)
  elseif added ~= 0 then
    added = redis.pcall('ZADD', voters, 'NX', place, voter)
  end
  return added
end

-- article_has_voter(voters, voter): 1 or 0.
local function article_has_voter(voters, voter)
  local has = redis.pcall('SISMEMBER', voters, voter)
  if type(has) ~= 'number' then
    has = redis.call('ZSCORE', voters, voter) and 1 or 0
  end
  return has
end

-- article_voter_count(voters): their number.
local function article_voter_count(voters)
  local count = redis.pcall('SCARD', voters)
  if type(count) ~= 'number' then
    count = redis.call('ZCARD', voters)
  end
  return count
end
