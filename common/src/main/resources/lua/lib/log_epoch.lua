-- log_epoch(seq, epoch, floor, log, batches, candidate): the epoch of the event log and its newest seq. When any part of the log is gone, numbers could be given out twice or events
-- could be missing without a trace, so everything starts anew under another epoch, and whoever holds a cursor of the old one learns of it.
local function log_epoch(seq, epoch, floor, log, batches, candidate)
  local current, last, whole = unpack(redis.call('MGET', epoch, seq, floor))
  if current and last and whole then
    local tip = tonumber(last)
    if tonumber(whole) > tip or redis.call('EXISTS', log, batches) == 2 then
      return current, tip
    end
  end
  redis.call('UNLINK', log, batches)
  redis.call('SET', epoch, candidate)
  redis.call('SET', seq, '0')
  redis.call('SET', floor, '1')
  return candidate, 0
end
