-- stats.lua: what experiments say of several numbers. A number that is missing is nil and counts
-- nowhere.
local stats = {}

-- Geometric mean of positive numbers; nil without any.
function stats.mean(values)
  local sum, n = 0, 0
  for _, value in pairs(values) do
    sum, n = sum + math.log(value), n + 1
  end
  if n > 0 then return math.exp(sum / n) end
end

function stats.min(values)
  local least
  for _, value in pairs(values) do
    if not least or value < least then least = value end
  end
  return least
end

function stats.max(values)
  local most
  for _, value in pairs(values) do
    if not most or value > most then most = value end
  end
  return most
end

-- a / b where both are.
function stats.ratio(a, b)
  if a and b and b > 0 then return a / b end
end

-- Geometric mean of f(item) over a list, and of how many items there is one.
function stats.mean_of(list, f)
  local values = {}
  for _, item in ipairs(list) do values[#values + 1] = f(item) end
  return stats.mean(values), #values
end

return stats
