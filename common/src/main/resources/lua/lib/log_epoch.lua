-- log_epoch(seq, epoch, floor, log, candidate): the epoch of the event log. When any part of the log is gone, numbers could be given out twice or events could be missing
-- without a trace, so everything starts anew under another epoch, and whoever holds a cursor of the old one learns of it.
local function log_epoch(seq, epoch, floor, log, candidate)
  local current, last, whole = unpack(redis.call('MGET', epoch, seq, floor))
  if current and last and whole and (last == '0' or redis.call('EXISTS', log) == 1) then
    return current
  end
  redis.call('UNLINK', log)
  redis.call('SET', epoch, candidate)
  redis.call('SET', seq, '0')
  redis.call('SET', floor, '1')
  return candidate
end
