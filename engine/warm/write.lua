-- Writes what a board says about some of its seats and holds, and publishes it.
-- KEYS: revision, bitmap, occupancy, zset of holds, then seats, then the metas of holds.
-- ARGV: revision of the board; the revision from which the bits below make the bitmap complete;
-- the whole bitmap or ''; the new content of the revision key; channel; message or '';
-- 'force' for a board of another history than what is stored; numbers of bits, seats and holds.
-- Then for each bit its offset and state; for each seat the value or '' (free), when it ends, and
-- what must be there ('*' anything, '' nothing, else exactly this); for each hold its id, when it
-- ends or '' (it has ended), when the meta ends, and seven fields of the meta.
-- Answers 'behind' (what is stored is newer), 'gap' (the bits do not make it complete), or 'ok',
-- each with the revision and lineage that were stored, and how many keys had the wrong type.
local KEPT_S, HOLDS_KEPT_S = 1800, 86400
local broken = 0

local function text(name)
  local raw = redis.pcall('GET', name)
  if type(raw) ~= 'table' then return raw end
  redis.call('DEL', name)
  broken = broken + 1
  return false
end

-- A key of the wrong type is ours all the same: whatever it is, it goes.
local function surely(command, name, words)
  local answer = redis.pcall(command, name, unpack(words))
  if type(answer) ~= 'table' or not answer.err then return end
  redis.call('DEL', name)
  broken = broken + 1
  redis.call(command, name, unpack(words))
end

local revision, base, whole, force = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[7]
local bits, seats, holds = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local record = text(KEYS[1]) or ''
local stored, lineage = string.match(record, '^(%d+) (%x+) ')
stored = tonumber(stored or -1)
if force == '' and stored > revision then return { 'behind', stored, lineage, broken } end
if whole == '' and stored < base then return { 'gap', stored, lineage or '', broken } end
if whole == '' and bits > 0 and redis.call('TYPE', KEYS[2]).ok ~= 'string' then
  return { 'gap', -1, '', broken }
end

local at = 11
if whole ~= '' then
  redis.call('SET', KEYS[2], whole)
elseif bits > 0 then
  local words = {}
  for index = 1, bits do
    local word = #words
    words[word + 1], words[word + 2] = 'SET', 'u2'
    words[word + 3], words[word + 4] = ARGV[at], ARGV[at + 1]
    at = at + 2
    if #words >= 2000 or index == bits then
      redis.call('BITFIELD', KEYS[2], unpack(words))
      words = {}
    end
  end
end
redis.call('EXPIRE', KEYS[2], KEPT_S)
redis.call('SET', KEYS[1], ARGV[4], 'EX', KEPT_S)
redis.call('DEL', KEYS[3])

local function isOther(name, expected)
  local found = text(name) or ''
  if expected ~= '*' then return found ~= expected end
  -- A seat that is free for the board may be claimed by somebody by now.
  return string.find(found, '"state":"claimed"', 1, true) ~= nil
end

for index = 1, seats do
  local name, value, expected = KEYS[4 + index], ARGV[at], ARGV[at + 2]
  if value ~= '' and expected == '*' then
    redis.call('SET', name, value, 'PXAT', ARGV[at + 1])
  elseif not isOther(name, expected) then
    if value == '' then
      redis.call('DEL', name)
    else
      redis.call('SET', name, value, 'PXAT', ARGV[at + 1])
    end
  end
  at = at + 3
end

-- One call for all ends and one for all beginnings: calls are what scripts spend their time on.
local ended, begun = {}, {}

local function meta(name, first)
  return redis.pcall(
    'HSET', name, 'held_until', ARGV[first + 1], 'status', 'active', 'seat_id', ARGV[first + 3],
    'zone_id', ARGV[first + 4], 'ordinal', ARGV[first + 5], 'quantity', ARGV[first + 6],
    'user_id', ARGV[first + 7], 'created_at', ARGV[first + 8], 'source', ARGV[first + 9]
  )
end

for index = 1, holds do
  local name, id, ends = KEYS[4 + seats + index], ARGV[at], ARGV[at + 1]
  if ends == '' then
    ended[#ended + 1] = id
    redis.call('DEL', name)
  else
    begun[#begun + 1], begun[#begun + 2] = ends, id
    local written = meta(name, at)
    if type(written) == 'table' then
      broken = broken + 1
      redis.call('DEL', name)
      meta(name, at)
    end
    redis.call('PEXPIREAT', name, ARGV[at + 2])
  end
  at = at + 10
end
if #ended > 0 then surely('ZREM', KEYS[4], ended) end
if #begun > 0 then surely('ZADD', KEYS[4], begun) end
if holds > 0 then redis.call('EXPIRE', KEYS[4], HOLDS_KEPT_S) end
if ARGV[6] ~= '' then redis.call('PUBLISH', ARGV[5], ARGV[6]) end
return { 'ok', stored, lineage or '', broken }
