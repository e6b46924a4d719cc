-- log_page(log, batches, after, max): {{seq of the batch's last event, ms of its append, events, lines}, ...} behind a seq: whole batches, until max is reached.
local function log_page(log, batches, after, max)
  local told = {}
  if max > 0 then
    for _, entry in ipairs(redis.call('XRANGE', log, string.format('(%.0f-0', after), '+', 'COUNT', max)) do
      local last, fields = string.match(entry[1], '^%d+'), entry[2]
      told[#told + 1] = { last, fields[2], fields[4], redis.call('HGET', batches, last) }
      if tonumber(last) - after >= max then
        break
      end
    end
  end
  return told
end
