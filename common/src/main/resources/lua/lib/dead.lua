-- wanted(letter, type, owner): the job of a dead letter without its envelope, when it decodes and is of this type and account; '' = any. Else nil.
local function wanted(letter, type, owner)
  local job, its_type, its_owner = letter:match('^[^\t]*\t%d+ %d+ %d+ (([%l_]+)%.%d+ ?(%d*).*)$')
  if job and (type == '' or type == its_type) and (owner == '' or owner == its_owner) then
    return job
  end
end
