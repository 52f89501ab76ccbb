-- What everybody may know of an event, at one moment.
-- KEYS: revision, bitmap, zset of holds. ARGV: now (unix), how many overdue holds at most.
-- Answers the content of the revision key, the bitmap, and holds whose time is over.
local function or_nothing(answer)
  if type(answer) == 'table' and answer.err then return false end
  return answer
end
local due = or_nothing(redis.pcall('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2]))
return {
  or_nothing(redis.pcall('GET', KEYS[1])),
  or_nothing(redis.pcall('GET', KEYS[2])),
  due or {},
}
