-- push(subscriptions, lane, delayed, stats, now, id, type): enqueues a job for each push subscription of an account that wants word of notifications of this type. Needs enqueue.
-- While very many jobs wait, or were put off, none: word that comes late is worth little, and other jobs need the room.
local PUSH_WAITING_MAX = 20000
local function push(subscriptions, lane, delayed, stats, now, id, type)
  local all = redis.call('HGETALL', subscriptions)
  if #all == 0 or redis.call('LLEN', lane) + redis.call('ZCARD', delayed) >= PUSH_WAITING_MAX then
    return
  end
  local account = string.match(subscriptions, '(%d+)$')
  for i = 2, #all, 2 do
    local subscription, alerts = string.match(all[i], '^(%d+) %d+ (%S+) ')
    if subscription and string.find(',' .. alerts .. ',', ',' .. type .. ',', 1, true) then
      enqueue(lane, stats, now, 'push' .. job_version .. account .. ' ' .. id .. ' ' .. subscription)
    end
  end
end
