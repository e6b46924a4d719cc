-- now(arg): the caller's clock in ms when it gave one (tests do), else the server's: one clock for all processes. '~<ms>/<max>' is the server's too, but the caller bears witness: its
-- own clock says ms, and when the two differ by more than max, the script ends with the error CLOCKS, which names both, before it has done anything (see ClockGuard.java).
local function now_ms(arg)
  local witness, max = string.match(arg, '^~(%d+)/(%d+)$')
  if arg ~= '' and arg ~= '~' and not witness then
    return tonumber(arg)
  end
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  if witness and math.abs(now - tonumber(witness)) > tonumber(max) then
    error({ err = string.format('CLOCKS %.0f %s', now, witness) })
  end
  return now
end
