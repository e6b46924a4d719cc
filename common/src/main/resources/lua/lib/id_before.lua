-- id_before(a, b): whether an id is lower than another. Both are text: to make numbers of them costs more than all else.
local function id_before(a, b)
  if #a == #b then
    return a < b
  end
  return #a < #b
end
