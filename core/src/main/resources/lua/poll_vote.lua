#!lua
--[[
  poll_vote - count the votes of an account in the poll of a status

  KEYS[1]  status  HASH  absent when it is archived
  KEYS[2]  votes   HASH  of the status: account id to the numbers of the options that it has chosen, with commas between, 'v<number>' to the votes of an option, 'voters' to their number, 'n<number>' to the account
                         that was so manieth to vote, from 1 on
  ARGV[1]  now           ms, empty = the server's clock
  ARGV[2]  voter
  ARGV[3]  ends          ms from which on nobody can vote
  ARGV[4]  multiple      '1' = an account may choose several, also one after the other
  ARGV[5]  voters_max
  ARGV[6..] numbers of the options, each once

  Returns  'voted'; 'gone' when the status is deleted, 'ended', 'already' when the account has chosen that before, or may not choose another, 'full' with too many voters: then nothing is done
  Holds    the votes of each option, and the voters, are those of the accounts
]]
--#include now
local status, votes = KEYS[1], KEYS[2]
local voter = ARGV[2]

if redis.call('HEXISTS', status, 'gone') == 1 then
  return 'gone'
end
if now_ms(ARGV[1]) >= tonumber(ARGV[3]) then
  return 'ended'
end
local before = redis.call('HGET', votes, voter)
if ARGV[4] ~= '1' and (before or #ARGV > 6) then
  return 'already'
end
local chosen = before or ''
for i = 6, #ARGV do
  if string.find(',' .. chosen .. ',', ',' .. ARGV[i] .. ',', 1, true) then
    return 'already'
  end
  chosen = (chosen == '' and '' or chosen .. ',') .. ARGV[i]
end
if not before then
  if tonumber(redis.call('HGET', votes, 'voters') or '0') >= tonumber(ARGV[5]) then
    return 'full'
  end
  redis.call('HSET', votes, 'n' .. redis.call('HINCRBY', votes, 'voters', 1), voter)
end
redis.call('HSET', votes, voter, chosen)
for i = 6, #ARGV do
  redis.call('HINCRBY', votes, 'v' .. ARGV[i], 1)
end
return 'voted'
