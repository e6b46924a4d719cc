-- Whom an account mutes, in the order of its mutes; without those whose mute has ended, unless they are more than held: then all of held + 1, which say that they are too many.
local function muted(mutes, mute_ends, held, now)
  local all = redis.call('ZRANGE', mutes, 0, held)
  if #all == 0 or #all > held then
    return all
  end
  local ends = redis.call('ZRANGE', mute_ends, '-inf', string.format('%.0f', now), 'BYSCORE')
  if #ends == 0 then
    return all
  end
  local ended, left = {}, {}
  for _, account in ipairs(ends) do
    ended[account] = true
  end
  for _, account in ipairs(all) do
    if not ended[account] then
      left[#left + 1] = account
    end
  end
  return left
end
