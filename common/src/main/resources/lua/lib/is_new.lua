-- undoes: the kinds of events that undo another: delete, unfollow, unblock, unmute.
local undoes = { d = true, u = true, k = true, o = true }

-- is_new(kind, subject, told, now, retention): whether an event may be appended to the log, by what has been told of its subject: a seq, negative once that is undone; nil or false = nothing.
-- Status and follow are as old as their subject, so one that is older than the memory of subjects can only be a repetition. Delete and unfollow may come at any age: to
-- tell them twice after days does no harm, not to tell them would.
local function is_new(kind, subject, told, now, retention)
  if undoes[kind] then
    return not told or told > 0
  end
  return not told and now - subject_ms(subject) <= retention
end
