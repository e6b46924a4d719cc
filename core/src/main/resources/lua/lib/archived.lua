-- The HASH archived:{s} has of each author of the shard whose statuses have ever been moved:
--   <author>   the border: ids up to it, if they live, are in the archive; those above are in Redis
--   n<author>  how many living statuses are in the archive
--   p<author>  the number of the last pass
--   f<author>  how often anything was moved: what was read from the archive before may be old
-- and of the shard: 'max', the highest border; 'pass', the last number of a pass.

-- archive_digest(fields): of the fields of a status but 'cold', whatever their order; ArchivePass.java computes the same.
local function archive_digest(fields)
  local values, names = {}, {}
  for i = 1, #fields, 2 do
    if fields[i] ~= 'cold' then
      values[fields[i]] = fields[i + 1]
      names[#names + 1] = fields[i]
    end
  end
  table.sort(names)
  for i, name in ipairs(names) do
    names[i] = name .. '\0' .. values[name]
  end
  return redis.sha1hex(table.concat(names, '\0'))
end
