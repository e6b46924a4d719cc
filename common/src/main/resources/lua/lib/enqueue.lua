-- job_version: what stands between the type and the fields of the jobs that scripts make, as JobCodec.java reads it (JobCodecTest).
local job_version = '.1 '

-- A number that is passed to Redis costs as much as a short command, since Lua writes 17 digits of it and Redis reads them: so '1' and %d.

-- enqueue(lane, stats, now, job): puts a job, e.g. fan_out.1 <author> <status> 0, into a lane. Line format: see JobCodec.java.
local function enqueue(lane, stats, now, job)
  redis.call('HINCRBY', stats, 'enqueued', '1')
  return redis.call('LPUSH', lane, '0 0 ' .. string.format('%d', now) .. ' ' .. job)
end
