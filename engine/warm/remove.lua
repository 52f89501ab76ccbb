-- Removes values that are still what was written or read, and nothing else.
-- KEYS: seats. ARGV: for each the value. Answers how many were removed.
local removed = 0
for at, name in ipairs(KEYS) do
  if redis.pcall('GET', name) == ARGV[at] then
    removed = removed + redis.call('DEL', name)
  end
end
return removed
