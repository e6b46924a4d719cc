-- log_inherited(batches): seq of the newest event of the log that a former epoch appended; 0 = none. See renew_epoch.lua.
local function log_inherited(batches)
  return tonumber(redis.call('HGET', batches, 'inherited') or 0)
end
