-- A conversation lies as a line, '<change> <read> <wrote> <root> <participants> <statuses>': id of its newest change; the newest status that its owner has read or written, 0 = none; 1 = its owner
-- has written some of it; the status with which it began; the other accounts and the statuses that are kept of it, both in order with commas between; '-' = nobody else. Another field, 'k' and a digest, leads from root and
-- participants to its id.
local function conversation_name(root, participants)
  return 'k' .. redis.sha1hex(root .. ' ' .. participants)
end

-- conversation_of(lines, id): its parts; nil when there is none, or its line is none.
local function conversation_of(lines, id)
  local line = redis.call('HGET', lines, id)
  local change, read, wrote, root, participants, list =
    string.match(line or '', '^(%d+) (%d+) ([01]) (%d+) (%S+) ([%d,]+)$')
  if not change then
    return nil
  end
  local statuses = {}
  for status in string.gmatch(list, '%d+') do
    statuses[#statuses + 1] = status
  end
  if not statuses[1] then
    return nil
  end
  return { change = change, read = read, wrote = wrote, root = root, participants = participants, statuses = statuses }
end

local function conversation_set(order, lines, id, it)
  local list = table.concat(it.statuses, ',')
  redis.call('HSET', lines, id, table.concat({ it.change, it.read, it.wrote, it.root, it.participants, list }, ' '))
  redis.call('ZADD', order, it.statuses[#it.statuses], id)
end

local function conversation_drop(order, lines, id, it)
  redis.call('ZREM', order, id)
  if it then
    redis.call('HDEL', lines, id, conversation_name(it.root, it.participants))
  else
    redis.call('HDEL', lines, id)
  end
end

-- conversation_end(ended, statuses, max, memory): a job that runs again does not bring these back.
local function conversation_end(ended, statuses, max, memory)
  for _, status in ipairs(statuses) do
    redis.call('ZADD', ended, status, status)
  end
  redis.call('ZREMRANGEBYRANK', ended, 0, -max - 1)
  redis.call('PEXPIRE', ended, memory)
end
