-- Token buckets that nodes share. Time is this server's, so that nodes need not agree about it.
-- KEYS: buckets. ARGV: for each the tokens that come back in a millisecond, its capacity, and how
-- many are wanted; less than nothing gives back. Answers for each whether it was given, and what is
-- left.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local answers = {}
for index, name in ipairs(KEYS) do
  local at = (index - 1) * 3
  local rate, capacity = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local count = tonumber(ARGV[at + 3])
  local found = redis.pcall('HMGET', name, 'tokens', 'at')
  if found.err then
    redis.call('DEL', name)
    found = {}
  end
  local tokens = tonumber(found[1] or nil) or capacity
  local passed = math.max(0, now - (tonumber(found[2] or nil) or now))
  tokens = math.min(capacity, tokens + passed * rate)
  local given = count <= tokens
  if given then tokens = math.min(capacity, tokens - count) end
  redis.call('HSET', name, 'tokens', tostring(tokens), 'at', now)
  -- A bucket that is full again says as much as none.
  redis.call('PEXPIRE', name, math.ceil((capacity - tokens) / rate) + 1000)
  answers[index] = { given and 1 or 0, tostring(tokens) }
end
return answers
