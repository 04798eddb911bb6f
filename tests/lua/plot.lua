-- plot.lua: plots, tables of records, sweeps and time as text and as files.
local t = dofile "support.lua"
local folder = arg[2]
local function core_type(value) return tostring(value):find "^Timeline" and "Picture" or
  tostring(value):find "^Graph of" and "Picture" end

app.open(arg[1])
local runs = {}
for _, name in ipairs { "heft", "m-etf" } do
  runs[#runs + 1] = sim.run(assert(policy.get(name):decide(g)))
end

-- The kind follows from what is plotted.
local bars = assert(plot(runs))
assert(bars.kind == "bars" and bars.points == 2)
assert(tostring(bars):find "^Bars of makespan: 2 points, .* ms to .* ms$", tostring(bars))
assert(plot{ 1, 4, 9 }.kind == "lines" and plot(g:nodes(), { x = "cost" }).kind == "histogram")
assert(plot(g:nodes(), { x = "cost", y = "memory" }).kind == "scatter")
assert(plot(g:nodes():by "op").kind == "bars" and plot{ heft = 2, metis = 3 }.points == 2)

-- Lines run from left to right, series by a field; CSV has seconds whatever the axis says.
local rows = { { n = 4, seed = 1, makespan = 2e-3 }, { n = 2, seed = 1, makespan = 3e-3 },
  { n = 2, seed = 2, makespan = 1e-3 } }
local lines = assert(plot(rows, { x = "n", y = "makespan", by = "seed", title = "Two" }))
assert(lines:csv() == "series,n,makespan_s,label\nseed 1,2,0.003,\nseed 1,4,0.002,\n"
  .. "seed 2,2,0.001,\n", lines:csv())
assert(tostring(lines):find "^Lines “Two” of makespan over n: seed 1, 2 points, 2 ms to 3 ms; ")
assert(plot(rows, { x = "n", y = function(row) return row.n * 2 end }):csv():find ",2,4,")

-- Every kind as every file, equal bytes for equal plots.
local heat = assert(plot(rows, { x = "n", y = "seed", value = "makespan" }))
assert(heat.kind == "heat" and heat:csv():find "1,4,1,0.002,")
local histogram = assert(plot.histogram({ 1, 2, 2, 3 }, { bins = 2, log = "x" }))
assert(histogram:csv():find("value,1,1.7320508075688772,1", 1, true) or
  histogram:csv():find("1,1,1.7320508075688772,1", 1, true), histogram:csv())
local function bytes(path) return assert(app.read(path)) end
for i, p in ipairs { bars, lines, heat, histogram, assert(plot.scatter(rows, { x = "n" })) } do
  local path = folder .. "/p" .. i
  assert(p:save(path .. ".svg") == path .. ".svg" and p:save(path .. "b.svg", { width = 640 }))
  assert(bytes(path .. ".svg") == bytes(path .. "b.svg") and bytes(path .. ".svg"):find "<svg")
  assert(p:save(path .. ".png", { theme = "dark", scale = 1, width = 200, height = 120 }))
  assert(p:save(path .. ".pdf") and p:save(path .. ".csv"))
  assert(bytes(path .. ".csv") == p:csv())
end
t.fails("pictures are written as", bars:save(folder .. "/p.txt"))
t.fails("sides of", bars:save(folder .. "/p.svg", { width = 3 }))
t.raises("there is no 'red'", bars.save, bars, folder .. "/p.svg", { theme = "red" })
t.raises("opts.kin: plot has no such option; there are: bins, by", plot, rows, { kin = "bars" })
t.raises("there is no 'pie'", plot, rows, { kind = "pie" })
t.fails("nothing to plot", plot({}))
t.fails("nothing to plot", plot("words"))
t.fails("no number", plot({ { x = 1, y = 0 / 0 }, { x = 2, y = 0 / 0 } }))

-- Pictures of runs, graphs and comparisons; shown as their titles without a window.
local r1, r2 = runs[1], runs[2]
for name, value in pairs { timeline = r1, graph = g, compared = compare(r1, r2), plan = r1.plan } do
  local picture = assert(show(value))
  assert(core_type(picture) == "Picture", name)
  for _, ending in ipairs { ".svg", ".png", ".pdf" } do
    local path = folder .. "/" .. name .. ending
    assert(picture:save(path, { width = 500, theme = "dark" }) == path)
    assert(ending ~= ".svg" or #bytes(path) > 500)
  end
end
assert(tostring(show(r1)) == "Timeline of heft" and tostring(show(g)) == "Graph of toy")
assert(tostring(show(compare(r1, r2))) == "Timeline of heft above m-etf")
assert(show(r1, { view = "graph" }):save(folder .. "/nodes.csv"))
t.raises("opts.view: there is no 'pie'", show, r1, { view = "pie" })

-- A sweep has a record for every combination, and what it found is what plot shows.
local seen = {}
local swept = sweep{
  devices = { 2, 4 }, seed = { 1, 2, 3 },
  run = function(v) return sim.run(plan.random(g, v.seed, "equal:" .. v.devices)) end,
  on_row = function(row, rows) seen[#seen + 1] = row.devices * 10 + row.seed end,
}
assert(table.concat(seen, " ") == "21 22 23 41 42 43" and #swept == 6)
for _, row in ipairs(swept) do
  assert(row.makespan == row.run.makespan and row.run.plan)
end
assert(swept:csv():find "^devices,seed,makespan_s\n2,1,0%.%d+\n")
assert(plot(swept).kind == "heat" and plot(swept).points == 6)
assert(plot(swept, { x = "devices", y = "makespan", by = "seed" }).kind == "lines")
t.raises("show: there is nothing to show: there is no number to plot", function()
  show(plot(records{ { x = 1, y = 2 } }, { x = "x", y = "z" }))
end)
-- A series for each combination of several columns.
local grid = records{ { x = 1, y = 1, p = "a", n = 2 }, { x = 2, y = 2, p = "a", n = 2 },
  { x = 1, y = 3, p = "a", n = 4 }, { x = 2, y = 4, p = "b", n = 2 } }
local lined = plot(grid, { x = "x", by = { "p", "n" } }):csv()
assert(lined:find '^series,x,y,label\n"a, n 2",1,1,[^\n]*\n"a, n 2",2,2,[^\n]*\n"a, n 4",1,3,'
  and lined:find '"b, n 2",2,4,[^\n]*\n$', lined)
assert(plot(sweep{ n = { 1, 2 }, run = function(v) return v.n ^ 2 end }):csv():find "value,2,4,")
local ordered = sweep{ columns = { "policy", "layers", "makespan", "b" }, layers = { 1, 2 },
  policy = { "x", "y" }, run = function() return { a = 1, b = 2, makespan = 3 } end }
assert(ordered:csv():find "^policy,layers,makespan_s,b,a\nx,1,3,2,1\nx,2,", ordered:csv())
t.raises("opts.columns: a list of names", sweep, { n = { 1 }, columns = "n", run = print })
assert(sweep{ n = { 1 }, run = function() return nil, "too small" end }[1].error == "too small")
t.raises("opts.n: a list of values expected", sweep, { n = 3, run = print })
t.raises("parameters expected", sweep, { run = print })
t.raises("opts.run: function", sweep, { n = { 1 } })

-- Rows of the same place: one number of them is chosen by name, or what to type is said.
t.fails('3 rows have devices = 2: add reduce = "mean" .*, by = "seed" for a series of each',
  plot(swept, { x = "devices" }))
t.fails("3 rows have devices = 2: .*kind = \"scatter\"", plot.lines(swept, { x = "devices" }))
for _, order in ipairs { { 5, 3, 9, 1 }, { 9, 5, 1, 3 } } do -- the first one of the rows is named
  local list = {}
  for _, n in ipairs(order) do
    list[#list + 1] = { n = n, y = 1 }
    list[#list + 1] = { n = n, y = n == order[1] and 1 or 2 }
  end
  t.fails("2 rows have n = " .. order[2] .. ":", plot.lines(list, { x = "n", y = "y" }))
end
t.fails("2 rows have n = 2", plot.bars(rows, { x = "n", y = "makespan" }))
t.fails("2 rows have x = 1 and y = 1: add reduce",
  plot.heat({ { x = 1, y = 1, v = 1 }, { x = 1, y = 1, v = 3 } },
    { x = "x", y = "y", value = "v" }))
local twice = { { k = "a", v = 1 }, { k = "a", v = 4 }, { k = "b", v = 2 }, { k = "a", v = 4 } }
for reduce, value in pairs { mean = 3, min = 1, max = 4, sum = 9, count = 3 } do
  assert(plot.bars(twice, { x = "k", reduce = reduce }):csv():find("a,%s," .. value)
    or plot.bars(twice, { x = "k", reduce = reduce }):csv():find(",a," .. value), reduce)
end
assert(plot.bars(twice, { x = "k", reduce = function(list) return #list * 10 end }):csv():find "30")
assert(plot.lines({ { n = 1, y = 2 }, { n = 1, y = 4 }, { n = 2 } }, { x = "n", y = "y",
  reduce = "mean" }).points == 2)
t.fails("%(min, max, sum, count", plot(twice, { x = "k" }))
t.raises("opts.reduce: 'middle' is none of count, geometric, max, mean, median, min, sum", plot,
  twice, { reduce = "middle" })
t.fails("scatter draws every row", plot.scatter(rows, { x = "n", y = "seed", reduce = "sum" }))
assert(plot.bars{ r1, sim.run(r1.plan) }.points == 2) -- two runs of one name are two bars
assert(plot.bars({ { k = "a", v = 2 }, { k = "a", v = 2 } }, { x = "k" }).points == 1) -- equal

-- Parameters of a sweep are axes, its results are drawn.
assert(plot(swept, { x = "devices", by = "seed" }):csv():find "^series,devices,makespan_s")
assert(not plot.scatter(swept, { x = "devices" }):csv():find "seed")
assert(tostring(plot.histogram(swept)):find "makespan")
t.fails("a heat map needs", plot.heat(sweep{ n = { 1, 2 }, run = function(v)
  return { a = v.n, b = 2 }
end }))

-- time() calls as often as it is told, and returns what the function returns.
local n = 0
local function count(step) n = n + step return "counted", n end
assert(select("#", time(count, 3, 2)) == 2 and n == 6)
assert(select(2, time(count, "1")) == 7)
t.raises("at least 1", time, count, 0)
