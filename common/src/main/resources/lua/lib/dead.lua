-- has_reason_and_line(letter, error, job): whether the reason of a dead letter contains this text and its job line is this one; '' = any.
local function has_reason_and_line(letter, error, job)
  local tab = letter:find('\t', 1, true) or 0
  local reason = tab > 0 and letter:sub(1, tab - 1) or ''
  return (error == '' or reason:find(error, 1, true) ~= nil) and (job == '' or job == letter:sub(tab + 1))
end

-- wanted(letter, type, owner): the job of a dead letter without its envelope, when it decodes and is of this type and account; '' = any. Else nil.
local function wanted(letter, type, owner)
  local job, its_type, its_owner = letter:match('^[^\t]*\t%d+ %d+ %d+ (([%l_]+)%.%d+ ?(%d*).*)$')
  if job and (type == '' or type == its_type) and (owner == '' or owner == its_owner) then
    return job
  end
end
