-- subject_ms(id): when a 53-bit id was given out, ms of Unix time (see Id.java).
local function subject_ms(id)
  return math.floor(tonumber(id) / 4096) + 1704067200000
end
