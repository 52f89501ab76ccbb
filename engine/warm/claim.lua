-- Claims seats, for each wish all of them or none.
-- KEYS: the seats of all wishes, one wish after the other.
-- ARGV: now (unix), how long a claim lives (ms), then for each wish: how many seats, its user, its
-- value.
-- Answers a letter for each wish: c claimed, o own (nothing was left to claim), b busy (somebody
-- else claims), or h held, followed by the place of the seat in the wish and the value that was found.
local now, life = tonumber(ARGV[1]), ARGV[2]

-- What cannot be read, or is over, is not there.
local function look(name)
  local raw = redis.pcall('GET', name)
  if type(raw) == 'table' then
    redis.call('DEL', name)
    return nil
  end
  if not raw then return nil end
  local ok, value = pcall(cjson.decode, raw)
  if not ok or type(value) ~= 'table' then return nil end
  if type(value.held_until) ~= 'number' or value.held_until <= now then return nil end
  return value, raw
end

local function claim(first, count, user, value)
  -- Most wishes are for one free seat.
  if count == 1 and redis.call('SET', KEYS[first], value, 'NX', 'PX', life) then
    return 'c'
  end
  local free, busy = {}, false
  for at = first, first + count - 1 do
    local found, raw = look(KEYS[at])
    if not found then
      free[#free + 1] = KEYS[at]
    elseif found.user_id ~= user then
      if found.state == 'held' then return 'h' .. (at - first) .. ' ' .. raw end
      busy = true
    end
  end
  if busy then return 'b' end
  for _, name in ipairs(free) do redis.call('SET', name, value, 'PX', life) end
  return #free > 0 and 'c' or 'o'
end

local answers, key, arg = {}, 1, 3
while arg <= #ARGV do
  local count = tonumber(ARGV[arg])
  answers[#answers + 1] = claim(key, count, ARGV[arg + 1], ARGV[arg + 2])
  key, arg = key + count, arg + 3
end
return answers
