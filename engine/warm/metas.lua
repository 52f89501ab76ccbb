-- KEYS: metas of holds. Answers for each all its fields, or nothing when it cannot be read.
local answers = {}
for at, name in ipairs(KEYS) do
  local fields = redis.pcall('HGETALL', name)
  answers[at] = type(fields) == 'table' and not fields.err and fields or {}
end
return answers
