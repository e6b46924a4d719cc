-- Jobs of the changes that one account makes to its edges: 'link', 'unlink', 'terms', 'request' or 'unrequest' of an object by an edge.

-- one_by_one(lane, stats, now, actor): a function (type, object, edge) that enqueues a job for each.
local function one_by_one(lane, stats, now, actor)
  return function(type, object, edge)
    enqueue(lane, stats, now, type .. job_version .. actor .. ' ' .. object .. ' ' .. edge)
  end
end

-- together(lane, stats, now, actor): a function (type, object, edge) that gathers them, and one that enqueues a job 'changes' for all that are gathered, for each hundred of them: a line has a limit.
local function together(lane, stats, now, actor)
  local gathered = {}
  local function flush()
    if #gathered > 0 then
      enqueue(lane, stats, now, 'changes' .. job_version .. actor .. ' ' .. table.concat(gathered, ' '))
      gathered = {}
    end
  end
  local function put(type, object, edge)
    gathered[#gathered + 1] = type .. ':' .. object .. ':' .. edge
    if #gathered == 100 then
      flush()
    end
  end
  return put, flush
end
