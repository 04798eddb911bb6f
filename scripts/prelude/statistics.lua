-- statistics.lua: what several numbers say: intervals, paired tests, and one number of many.
local core = ...
local ipairs, pairs, type, error = ipairs, pairs, type, error
local sqrt, exp, log, abs, pi = math.sqrt, math.exp, math.log, math.abs, math.pi

statistics = {}
core.doc("statistics", "", "Intervals and tests of lists of numbers.", "statistics.summary{ 1, 2 }")

-- --- distributions -------------------------------------------------------------------------------

-- 1 - erf(x) for x >= 0: the series erf(x) = 2/sqrt(pi) e^(-x²) (x + 2x³/3 + 4x⁵/15 + ...), and far
-- out its continued fraction e^(-x²)/sqrt(pi) / (x + (1/2)/(x + 1/(x + (3/2)/(x + ...)))).
local function erfc(x)
  if x < 2.5 then
    local term, sum, n = x, x, 0
    while term > sum * 1e-17 do
      n = n + 1
      term = term * 2 * x * x / (2 * n + 1)
      sum = sum + term
    end
    return 1 - 2 / sqrt(pi) * exp(-x * x) * sum
  end
  local fraction = x
  for k = 60, 1, -1 do fraction = x + k / 2 / fraction end
  return exp(-x * x) / sqrt(pi) / fraction
end

-- Probability that Student's t with n degrees of freedom is between -t and t: Abramowitz, Stegun,
-- Handbook of Mathematical Functions, 26.7.3 and 26.7.4, with angle = atan(t / sqrt(n)).
local function central(angle, n)
  local cos2 = math.cos(angle) ^ 2
  local is_odd = n % 2 == 1
  local term, sum = 1, 0
  for k = is_odd and 3 or 2, n, 2 do
    sum = sum + term
    term = term * cos2 * (k - 1) / k
  end
  if not is_odd then return math.sin(angle) * sum end
  return 2 / pi * (angle + math.sin(angle) * math.cos(angle) * sum)
end

-- x in [low, high] where a growing function reaches a value.
local function bisect(f, value, low, high)
  for _ = 1, 200 do
    local middle = (low + high) / 2
    if middle <= low or middle >= high then break end
    if f(middle) < value then low = middle else high = middle end
  end
  return (low + high) / 2
end

local function normal_quantile(p) -- of p >= 1/2
  return bisect(function(z) return 1 - erfc(z / sqrt(2)) / 2 end, p, 0, 40)
end

-- More degrees of freedom than this are an expansion about the normal quantile: 26.7.5.
local MANY = 500

local function quantile(p, n)
  if p < 0.5 then return -quantile(1 - p, n) end
  if p == 0.5 then return 0.0 end
  if n <= MANY then
    local share = 2 * p - 1
    return sqrt(n) * math.tan(bisect(function(a) return central(a, n) end, share, 0, pi / 2))
  end
  local z = normal_quantile(p)
  return z + (z ^ 3 + z) / (4 * n) + (5 * z ^ 5 + 16 * z ^ 3 + 3 * z) / (96 * n ^ 2)
    + (3 * z ^ 7 + 19 * z ^ 5 + 17 * z ^ 3 - 15 * z) / (384 * n ^ 3)
end

core.doc("statistics.t_quantile", "(p, n)",
  "What Student's t with n degrees of freedom is below with probability p.",
  "statistics.t_quantile(0.975, 9)")
function statistics.t_quantile(p, n, ...)
  core.check("statistics.t_quantile", ...)
  core.expect(p, "number", 1, "t_quantile")
  if not (p > 0 and p < 1) then error("t_quantile: a probability between 0 and 1 expected", 2) end
  if math.type(n) ~= "integer" or n < 1 then
    error("t_quantile: degrees of freedom, a whole number of at least 1, expected", 2)
  end
  return quantile(p, n)
end

local intervals = {} -- 97.5 % quantiles by degrees of freedom, which come again and again

-- Half the width of the 95 % interval of a mean; nil of fewer than two numbers.
local function half_width(spread, n)
  if n < 2 then return nil end
  intervals[n - 1] = intervals[n - 1] or quantile(0.975, n - 1)
  return intervals[n - 1] * spread / sqrt(n)
end

-- --- many numbers --------------------------------------------------------------------------------

local function sum(values)
  local total = 0
  for _, value in ipairs(values) do total = total + value end
  return total
end

local function fold(f)
  return function(values)
    local number = values[1]
    for i = 2, #values do number = f(number, values[i]) end
    return number
  end
end

local function median(values)
  local sorted = table.move(values, 1, #values, 1, {})
  table.sort(sorted)
  local n = #sorted
  return n % 2 == 1 and sorted[n // 2 + 1] or (sorted[n // 2] + sorted[n // 2 + 1]) / 2
end

-- One number of those that have the same place; of at least one.
core.reducers = {
  count = function(values) return #values end,
  geometric = function(values) -- the geometric mean of positive numbers
    local total = 0
    for _, value in ipairs(values) do total = total + log(value) end
    return exp(total / #values)
  end,
  max = fold(math.max),
  mean = function(values) return sum(values) / #values end,
  median = median,
  min = fold(math.min),
  sum = sum,
}

core.doc("statistics.geometric", "(list)",
  "The geometric mean of positive numbers; nil without any.", "statistics.geometric{ 2, 8 }")
function statistics.geometric(list, ...)
  core.check("statistics.geometric", ...)
  core.expect(list, "table", 1, "geometric", "list of numbers")
  return #list > 0 and core.reducers.geometric(list) or nil
end

core.doc("statistics.summary", "(list)",
  "Of a list of numbers: n, mean, spread (sample standard deviation), ci95 (half the width of the "
    .. "95 % interval of the mean, by Student's t), median, min, max.",
  "statistics.summary{ 1.2, 1.3, 1.25 }")
function statistics.summary(list, ...)
  core.check("statistics.summary", ...)
  core.expect(list, "table", 1, "summary", "list of numbers")
  local n = #list
  for i = 1, n do
    if type(list[i]) ~= "number" then error(("summary: number expected at %d"):format(i), 2) end
  end
  if n == 0 then return { n = 0 } end
  local first, mean, squares = list[1], 0, 0 -- from the first, so that equal ones have no spread
  for _, value in ipairs(list) do mean = mean + (value - first) end
  mean = first + mean / n
  for _, value in ipairs(list) do squares = squares + (value - mean) ^ 2 end
  local spread = n > 1 and sqrt(squares / (n - 1)) or nil
  return {
    n = n, mean = mean, spread = spread, ci95 = half_width(spread, n), median = median(list),
    min = core.reducers.min(list), max = core.reducers.max(list),
  }
end

-- --- paired tests --------------------------------------------------------------------------------

core.doc("statistics.sign_test", "(wins, losses)",
  "How likely numbers of wins and losses as unequal as these are if both are equally likely: the "
    .. "exact two-sided sign test, ties left out.",
  "statistics.sign_test(9, 1)")
function statistics.sign_test(wins, losses, ...)
  core.check("statistics.sign_test", ...)
  core.expect(wins, "number", 1, "sign_test")
  core.expect(losses, "number", 2, "sign_test")
  local n = wins + losses
  local log_choose, tail = 0, 0
  for k = 0, math.min(wins, losses) do
    if k > 0 then log_choose = log_choose + log((n - k + 1) / k) end
    tail = tail + exp(log_choose - n * log(2))
  end
  return math.min(1, 2 * tail)
end

-- Twice the ranks of sizes, those of equal ones shared; and the sum of t³ - t over t equal ones.
local function rank(sizes)
  local order, ranks, ties = {}, {}, 0
  for i = 1, #sizes do order[i] = i end
  table.sort(order, function(a, b) return sizes[a] < sizes[b] end)
  local i = 1
  while i <= #order do
    local last = i
    while last < #order and sizes[order[last + 1]] == sizes[order[i]] do last = last + 1 end
    for k = i, last do ranks[order[k]] = i + last end
    ties = ties + (last - i + 1) ^ 3 - (last - i + 1)
    i = last + 1
  end
  return ranks, ties
end

local EXACT = 50 -- differences, up to which all signs are counted

-- Share of all choices of signs whose positive ranks sum up to at most, and to at least, a sum.
local function count_signs(ranks, limit)
  local ways, top = { [0] = 1 }, 0
  for _, r in ipairs(ranks) do
    for s = top, 0, -1 do
      if ways[s] then ways[s + r] = (ways[s + r] or 0) + ways[s] end
    end
    top = top + r
  end
  local below, above = 0, 0
  for s, n in pairs(ways) do
    if s <= limit then below = below + n end
    if s >= limit then above = above + n end
  end
  return below / 2 ^ #ranks, above / 2 ^ #ranks
end

core.doc("statistics.wilcoxon", "(differences)",
  "How likely differences as one-sided as these are if they lie about 0: Wilcoxon's two-sided test "
    .. "of signed ranks (1945). Zeros are left out; exact up to 50 numbers, beyond by the normal "
    .. "distribution with its corrections for ties and continuity.",
  "statistics.wilcoxon{ 3, -1, 4, 2 }")
function statistics.wilcoxon(differences, ...)
  core.check("statistics.wilcoxon", ...)
  core.expect(differences, "table", 1, "wilcoxon", "list of numbers")
  local sizes, is_positive = {}, {}
  for _, d in ipairs(differences) do
    if d ~= 0 then
      sizes[#sizes + 1] = abs(d)
      is_positive[#sizes] = d > 0
    end
  end
  local n = #sizes
  if n == 0 then return 1 end
  local ranks, ties = rank(sizes)
  local positive = 0
  for i, r in ipairs(ranks) do positive = positive + (is_positive[i] and r or 0) end
  if n <= EXACT then
    return math.min(1, 2 * math.min(count_signs(ranks, positive)))
  end
  local deviation = sqrt(n * (n + 1) * (2 * n + 1) / 24 - ties / 48)
  local distance = math.max(0, abs(positive / 2 - n * (n + 1) / 4) - 0.5)
  return math.min(1, erfc(distance / deviation / sqrt(2)))
end
