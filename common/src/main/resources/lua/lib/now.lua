-- now(arg): the caller's clock in ms when it gave one (tests do), else the server's: one clock for all processes.
local function now_ms(arg)
  if arg ~= '' then
    return tonumber(arg)
  end
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
