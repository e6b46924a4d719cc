-- id_before_ms(ms): the highest id of the time before this moment, as a decimal string (see Id.java).
local function id_before_ms(ms)
  return string.format('%.0f', math.max(1, ms - 1704067200000) * 4096 - 1)
end
