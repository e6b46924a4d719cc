-- publish_job(author, id, due): the job that publishes what was scheduled, as it waits among the timers and in lanes.
local function publish_job(author, id, due)
  return 'publish' .. job_version .. author .. ' ' .. id .. ' ' .. due
end

-- held_job(author, id): the job that looks after a post that waits for a moderator.
local function held_job(author, id)
  return 'held' .. job_version .. author .. ' ' .. author .. ' ' .. id
end

-- erasure_job(account): the job that erases a deleted account from the beginning.
local function erasure_job(account)
  return 'delete_account' .. job_version .. account .. ' ' .. account .. ' 0'
end

-- on_day(scheduled, day): how many are scheduled for the day that begins at that ms.
local function on_day(scheduled, day)
  return #redis.call('ZRANGE', scheduled, day, '(' .. string.format('%.0f', tonumber(day) + 86400000), 'BYSCORE')
end
