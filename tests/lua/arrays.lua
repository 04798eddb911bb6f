-- arrays.lua: arrays equal loops, along edges too, and come back from files as they were.
local t = dofile "support.lua"
local folder = arg[2]

local function same(a, list, what)
  assert(#a == #list, ("%s: %d numbers, %d expected"):format(what, #a, #list))
  for i = 1, #list do
    if a[i] ~= list[i] and (a[i] == a[i] or list[i] == list[i]) then
      error(("%s: %s at %d, %s expected"):format(what, a[i], i, list[i]), 2)
    end
  end
end

-- --- as loops do ---------------------------------------------------------------------------------

local seed = 7
local function random(n)
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed // 65536 % n
end
local function map(list, f)
  local out = {}
  for i, x in ipairs(list) do out[i] = f(x, i) end
  return out
end

for round = 1, 30 do
  local n, x, y, groups, places = random(40) + 1, {}, {}, {}, {}
  for i = 1, n do
    x[i], y[i] = (random(200) - 100) / 8, (random(60) - 30) / 4
    groups[i], places[i] = random(5), random(n) + 1
  end
  local a, b, g, p = array(x), array(y), array(groups), array(places)
  for name, f in pairs {
    add = function(u, v) return u + v end, sub = function(u, v) return u - v end,
    mul = function(u, v) return u * v end, div = function(u, v) return u / v end,
    pow = function(u, v) return u ^ v end,
  } do
    same(f(a, b), map(x, function(u, i) return f(u, y[i]) end), name)
    same(f(a, 3), map(x, function(u) return f(u, 3) end), name .. " number")
    same(f(2.5, b), map(y, function(v) return f(2.5, v) end), "number " .. name)
  end
  for name, f in pairs {
    lt = function(u, v) return u < v end, le = function(u, v) return u <= v end,
    gt = function(u, v) return u > v end, ge = function(u, v) return u >= v end,
    eq = function(u, v) return u == v end, ne = function(u, v) return u ~= v end,
  } do
    local function as_number(u, v) return f(u, v) and 1 or 0 end
    same(a[name](a, b), map(x, function(u, i) return as_number(u, y[i]) end), name)
    same(a[name](a, x[1]), map(x, function(u) return as_number(u, x[1]) end), name .. " number")
  end
  for name, f in pairs {
    exp = math.exp, abs = math.abs, floor = function(u) return math.floor(u) end,
    sqrt = function(u) return u < 0 and 0 / 0 or math.sqrt(u) end,
    log = function(u) return u < 0 and 0 / 0 or math.log(u) end,
  } do
    same(a[name](a), map(x, f), name)
  end
  same(-a, map(x, function(u) return -u end), "negative")
  same(a:min(b), map(x, function(u, i) return math.min(u, y[i]) end), "min")
  same(a:max(1), map(x, function(u) return math.max(u, 1) end), "max")
  same(a:clamp(-1, 2), map(x, function(u) return math.max(-1, math.min(2, u)) end), "clamp")
  local sum = 0
  same(a:cumsum(), map(x, function(u) sum = sum + u return sum end), "cumsum")
  assert(a:sum() == sum and a:mean() == sum / n and a:min() == math.min(table.unpack(x))
    and a:max() == math.max(table.unpack(x)) and x[a:argmin()] == a:min() and a:list()[n] == x[n])
  local found = statistics.summary(x)
  assert(a:median() == found.median and (n == 1 and a:std() == nil or a:std() == found.spread))
  local sorted = table.move(x, 1, n, 1, {})
  table.sort(sorted)
  same(a:sort(), sorted, "sort")
  same(a:take(a:argsort()), sorted, "argsort")
  assert(a:quantile(0) == sorted[1] and a:quantile(1) == sorted[n])
  same(a:take(p), map(places, function(k) return x[k] end), "take")
  local sums = table.move(x, 1, n, 1, {})
  for i, k in ipairs(places) do sums[k] = sums[k] + y[i] end
  same(a:add_at(p, b), sums, "add_at")
  same(a:gt(0):where(), (function()
    local list = {}
    for i, u in ipairs(x) do if u > 0 then list[#list + 1] = i end end
    return list
  end)(), "where")
  assert(a:gt(0):count() == #a:gt(0):where())
  local by = a:by(g, 0.9)
  for k = 1, #by.key do
    local part = {}
    for i = 1, n do if groups[i] == by.key[k] then part[#part + 1] = x[i] end end
    assert(by.n[k] == #part and by.sum[k] == array(part):sum() and by.mean[k] == array(part):mean()
      and by.min[k] == array(part):min() and by.max[k] == array(part):max()
      and by.median[k] == array(part):median() and by.quantile[k] == array(part):quantile(0.9)
      and (#part < 2 or by.std[k] == array(part):std()))
  end
  assert(by.n:sum() == n)
end
assert(array{ 1, 2, 3, 4 }:quantile(0.25) == 1.75 and array{}:max() == nil and #array{} == 0)
same(array.range(0, 1, 0.25), { 0, 0.25, 0.5, 0.75, 1 }, "range")
same(array.range(3, 1, -1), { 3, 2, 1 }, "down")
same(array.range(2, 1), {}, "empty")
same(array.zeros(2), { 0, 0 }, "zeros")
same(array{ 0 / 0, 2, 1 }:sort():take(array{ 1, 2 }), { 1, 2 }, "NaN last")
assert(array{ 0 / 0, 2, 1 }:argmin() == 3 and tostring(array{ 1, 2.5 }) == "Array of 2: 1, 2.5")
assert(array{ 1, 2 }[3] == nil and array{ 1, 2 }[0] == nil)

t.raises("arrays of 1 and 2 numbers do not fit", function() return array{ 1 } + array{ 1, 2 } end)
t.raises("number expected at 2, got string", array, { 1, "x" })
t.raises("index 1 is 3.0: whole numbers from 1 to 2", function() array{ 1, 2 }:take(array{ 3 }) end)
t.raises("index 2 is 1.5", function() array{ 1, 2 }:add_at(array{ 1, 1.5 }, 1) end)
t.raises("2 numbers for 1 indexes", function() array{ 1 }:add_at(array{ 1 }, array{ 1, 2 }) end)
t.raises("Array expected", function() return array{ 1 } + "1" end)
t.raises("cannot be set", function() array{ 1 }[1] = 2 end)
t.raises("a share from 0 to 1", function() array{ 1 }:quantile(2) end)
t.raises("a share from 0 to 1", function() array{ 1 }:by(array{ 1 }, -1) end)
assert(array{ 5, 1, 3, 2 }:by(array{ 1, 1, 1, 2 }).quantile[1] == 3)
t.raises("an array of 1 numbers for 2 groups", function() array{ 1, 2 }:by(array{ 1 }) end)
t.raises("it is negative", array.zeros, -1)
t.raises("not enough memory", array.zeros, 1 << 40)
t.raises("it has no end", array.range, 1, 2, 0)
t.raises("the list: a plain table", array, setmetatable({}, { __index = function() return 1 end }))

-- --- graphs --------------------------------------------------------------------------------------

local g = assert(app.open(arg[1]))
local a = g:arrays{ nodes = { "name", "cost", "memory", "op" }, edges = true }
local i = 0
for node in g:nodes():each() do
  i = i + 1
  assert(a.cost[i] == node.cost and a.memory[i] == node.memory and a.names.op[a.op[i]] == node.op
    and a.names.name[a.name[i]] == node.name and a.order[i] == i)
end
local rows = g:edges()
assert(#a.edges.from == #rows)
for k, row in ipairs(rows) do
  assert(a.names.name[a.edges.from[k]] == row.from and a.names.name[a.edges.to[k]] == row.to
    and a.edges.bytes[k] == row.bytes and a.edges.output[k] == row.output
    and (a.edges.control[k] == 1) == row.control)
end
t.raises("no_such", function() g:arrays{ nodes = { "no_such" } } end)
t.raises("opts", function() g:arrays{ node = { "cost" } } end)

-- Along edges as a loop over them, in both directions.
local pick = {
  max = function(x, y) return not x and y or math.max(x, y) end,
  min = function(x, y) return not x and y or math.min(x, y) end,
  sum = function(x, y) return (x or 0) + y end,
}
for how, f in pairs(pick) do
  for _, along in ipairs { a.edges.bytes * 1e-9, false } do
    local out, back = {}, {}
    local from, to = a.edges.from, a.edges.to
    local coming = {}
    for v = 1, #g do
      for k = 1, #from do
        if to[k] == v then coming[v] = f(coming[v], out[from[k]] + (along and along[k] or 0)) end
      end
      out[v] = a.cost[v] + (coming[v] or 0)
    end
    same(g:propagate(a.cost, how, along or nil), out, how)
    coming = {}
    for v = #g, 1, -1 do
      back[v] = a.cost[v] + (coming[v] or 0)
      for k = 1, #from do
        if to[k] == v then
          coming[from[k]] = f(coming[from[k]], back[v] + (along and along[k] or 0))
        end
      end
    end
    local found = g:propagate(a.cost, how, along or nil, "back")
    for v = 1, #g do assert(math.abs(found[v] - back[v]) < 1e-12) end
  end
end
same(g:propagate(array.zeros(#g) + 1, "max"), a.level:list(), "level")
t.raises("an array of 1 numbers for 12 nodes", g.propagate, g, array{ 1 }, "max")
t.raises("an array of 1 numbers for %d+ edges", g.propagate, g, a.cost, "max", array{ 1 })

-- --- files ---------------------------------------------------------------------------------------

local path = folder .. "/a.npz"
assert(a:save(path) == path and array.save(folder .. "/b.npz", a) == folder .. "/b.npz")
local again = assert(array.load(path))
same(again.cost, a.cost:list(), "cost")
same(again["edges.from"], a.edges.from:list(), "edges.from")
assert(again:save(folder .. "/c.npz"))
local one = array{ 1 / 3, -0.0, 1 / 0, 5e-324 }
assert(one:save(folder .. "/one.npy") == folder .. "/one.npy")
same(assert(array.load(folder .. "/one.npy")), one:list(), "npy")
same(assert(array.load(array{}:save(folder .. "/none.npy"))), {}, "none")
assert(app.write(folder .. "/bad.npy", "no array"))
t.fails("bad.npy: it is no array of NumPy's", array.load(folder .. "/bad.npy"))
t.fails("no such file", array.load(folder .. "/nowhere.npy"))
t.raises("ends in .npz", array.save, folder .. "/x.npy", {})

-- --- the example of a research notebook ----------------------------------------------------------

local h = g:edit{ where = "op = Conv", cost = 2 }
local c = cluster.preset "p100x4"
local e = h:edges()
assert(#e == #rows and (a.cost * 2 + a.memory):sum() > 0 and a.cost:quantile(.9) >= a.cost:median())
assert(#a.cost:by(a.level).max == a.level:max() and #a.cost:cumsum() == #g)
policy.register("mine", function(node, state) return state.devices[node.name:byte() % 2 + 1] end)
local swept = sweep{ policy = { "heft", "mine" }, factor = range(1, 4, "log"), devices = { 2, 4 },
  seeds = 2, journal = folder .. "/s.jsonl", run = function(v)
    return policy.get(v.policy):decide(g:edit{ cost = v.factor },
      { cluster = "equal:" .. v.devices, seed = v.seed })
  end }
local s = swept:summary{ by = { "policy", "factor" }, value = "makespan" }
assert(#swept == 24 and #s == 6 and s[1].n == 4 and s:markdown():find "| heft" and s:latex())
assert(s:csv{ columns = { "policy", "mean" } }:find "^policy,mean_s\n")
assert(plot(s, { error = "ci95" }) and #plot.heat(swept, { x = "factor", y = "devices",
  value = "makespan", facet = "policy", reduce = "mean" }) == 2)
t.raises("start is of a run's nodes: records", function()
  g:arrays{ nodes = { "cost", "start" } }
end)
assert(g:arrays{ nodes = "cost" }.cost:sum() == g:arrays{ nodes = { "cost" } }.cost:sum())
local x, why = s:crossover("heft", "mine", "factor")
assert(x or why:find "heft is below mine at all 3 values of factor")
assert(swept:compare{ between = "policy", value = "makespan" }[1].n == 12 and #c.devices == 4)
