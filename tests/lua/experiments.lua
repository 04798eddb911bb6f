-- The modules that the experiments share.
local t = dofile "support.lua"
local folder = arg[2]
local root = arg[0]:gsub("tests/lua/[^/]*$", "") .. "scripts/experiments/"

-- They load each other as scripts of their own folder do.
function dofile(path)
  return assert(load(assert(app.read(root .. path)), "@" .. path))()
end

-- Arguments.
local arguments = dofile "lib/arguments.lua"
local kinds = { quick = "flag", evals = "number", ["stand-in"] = "text" }
local opts = arguments.read({ "--quick", "--evals", "12", "--stand-in", "a=b" }, kinds)
assert(opts.quick and opts.evals == 12 and opts["stand-in"] == "a=b")
assert(arguments.read({ "--stand-in", "" }, kinds)["stand-in"] == nil)
t.raises("%-%-fast: there is no such option", arguments.read, { "--fast" }, kinds)
t.raises("%-%-evals: a number is missing", arguments.read, { "--evals", "many" }, kinds)
t.raises("%-%-stand%-in: a word is missing", arguments.read, { "--stand-in" }, kinds)
assert(table.concat(arguments.split "a, b,,c", "|") == "a|b|c")
local real = arguments.stand_ins "go-one=anneal,go-zeroshot=heft"
assert(real "go-one" == "anneal" and real "go-zeroshot" == "heft" and real "hdp" == "hdp")
assert(arguments.stand_ins(nil) "go-one" == "go-one")
t.raises("is not like go%-one=anneal", arguments.stand_ins, "go-one")

-- Tables: wide letters count once.
local tables = dofile "lib/tables.lua"
assert(tables.render({ "näme", "n" }, { { "a", "10" }, false, { "b" } })
  == "näme   n\n────────\na     10\n────────\nb")
assert(tables.less(0.8) == "20.0 %" and tables.less(nil) == "–" and tables.number(0 / 0) == "–")
assert(tables.number(1.25, "%.1f") == "1.2")

-- Orders: what is said of quick policies is what their plans do.
local orders = dofile "lib/orders.lua"
local toy = assert(graph.load(arg[1]))
for _, row in ipairs(policy.list()) do
  if row.effort == "quick" or row.name == "hdp" or row.name == "placeto"
    or row.name == "go-oneshot" then
    local order = assert(policy.get(row.name):decide(toy, { cluster = "p100x2", evals = 20 })).order
    assert((order == "fifo") == orders.is_fifo(row.name), row.name)
  end
end
assert(policy.get "go-oneshot":decide(toy, { cluster = "p100x2", evals = 20,
  settings = "order=fifo" }).order == "fifo")
assert(orders.line{ "go-one", "expert", "heft" }
  == "Order of ops: first in, first out: expert; by their plans' priorities: go-one, heft")

-- A journal goes on where it was; nobody else's file is one.
local journal = dofile "lib/journal.lua"
local path, made = folder .. "/e.csv", 0
local function make()
  made = made + 1
  return { valid = made == 1, makespan = 0.1 + 0.2, evaluations = 7,
    why = made == 2 and "no, out of “memory”" or nil }
end
local first = journal.open(path)
assert(first.get("one | 1", make).valid and first.get("one | 1", make).evaluations == 7
  and made == 1)
assert(not first.get("two", make).valid and made == 2)
local again = journal.open(path)
assert(again.get("one | 1", make).makespan == 0.1 + 0.2 and again.get("two", make).why:find "memory"
  and made == 2)
assert(again.get("three", make).evaluations == 7 and made == 3)
assert(app.write(path, "a,b\r\n1,2\r\n"))
t.raises("is not a journal", journal.open, path)

-- Files are replaced by their own experiment alone.
local output = dofile "lib/output.lua"
local out = output.open(folder .. "/out")
out.csv("x.csv", { "a" }, { { a = 1 } })
out.csv("x.csv", { "a" }, { { a = 2 } })
assert(app.read(folder .. "/out/x.csv") == "a\n2\n")
t.raises("another file has this name", out.csv, "x.csv", { "b" }, {})
assert(app.write(folder .. "/out/y.svg", "my\0own"))
t.raises("another file has this name", out.plot, "y.svg", plot{ 1, 2 })
assert(app.write(folder .. "/out/y.svg", "mine, too"))
t.raises("another file has this name", out.plot, "y.svg", plot{ 1, 2 })

-- What a search found, and when it was as good.
local measure = dofile "lib/measure.lua"
local cell = {
  improvements = { { evaluation = 1, makespan = 5 }, { evaluation = 9, makespan = 3 } },
}
assert(measure.evaluations_to(cell, 5) == 1 and measure.evaluations_to(cell, 4) == 9)
assert(measure.evaluations_to(cell, 2) == nil and measure.evaluations_to({}, 5) == nil)
local summary = measure.summary("p",
  { { valid = true, makespan = 2 }, { valid = true, makespan = 8 } })
assert(math.abs(summary.makespan - 4) < 1e-12 and summary.low == 2 and summary.high == 8)
summary = measure.summary("p",
  { { valid = true, makespan = 2 }, { valid = false, why = "out of memory" } })
assert(summary.makespan == nil and summary.why == "out of memory")
assert(measure.summary("p", {}).makespan == nil)

-- Results leave out what has no valid plan.
local results = dofile "lib/results.lua"
local function result(makespan, improvements)
  return measure.summary("p",
    { { seed = 0, valid = makespan ~= nil, makespan = makespan, evaluations = 10,
    why = not makespan and "out of memory" or nil, improvements = improvements } })
end
local small = { name = "small", nodes = 5,
  by_name = { a = result(2, cell.improvements), b = result(4) } }
local large = { name = "large", nodes = 50, by_name = { a = result(8, {}), b = result(nil) } }
assert(table.concat(results.names{ small, large }, ",") == "small,large")
assert(results.over(1, 4) == 0.25 and results.over(nil, 4) == nil and results.over(1, nil) == nil)
assert(statistics.geometric{} == nil and math.abs(statistics.geometric{ 2, 8 } - 4) < 1e-12)
assert(results.ratio(small, "a", "b") == 0.5 and results.ratio(large, "b", "a") == nil)
assert(results.ratio(small, "a", "nobody") == nil)
local mean, n = results.mean_ratio({ small, large }, "a", "b")
assert(math.abs(mean - 0.5) < 1e-12 and n == 1)
assert(results.largest_searched({ large, small }, "a") == small
  and results.largest_searched({ large }, "a") == nil)
local tiny = { name = "tiny", nodes = 2, by_name = { a = result(1, cell.improvements) } }
assert(results.largest_searched({ tiny, small, tiny }, "a") == small)
results.plot_curves(out, "curves.svg", small, { "a", "b", "nobody" }, { HP = 4 })
results.plot_curves(out, "curves.svg", small, { "a" })
local ratios = results.ratios({ small, large }, { "b" }, "a")
assert(ratios[1].ratio == 2 and ratios[1].group == "small" and ratios[2].ratio == nil)
results.plot_ratios(out, "ratios.svg", ratios, { title = "t", y_label = "y" })
for _, name in ipairs{ "curves", "ratios" } do
  assert(app.read(folder .. "/out/" .. name .. ".svg"):find "</svg>\n$")
end
local stairs = nil
results.plot_curves({ plot = function(_, figure) stairs = figure:csv() end }, "", small, { "a" })
assert(stairs:find "9" and select(2, stairs:gsub("\n", "")) == 5, stairs)
local rows = results.rows({ small, large }, { "a", "b" }, function(row, name, of)
  row.policy, row.twice = name, of.seed
end)
assert(#rows == 4 and rows[2].policy == "b" and rows[2].graph == "small" and rows[2].makespan_s == 4
  and rows[2].seed == 0)
assert(rows[4].why == "out of memory" and not rows[4].valid and rows[4].nodes == 50
  and rows[4].twice == 0)

-- Clusters of any number of the same devices.
local clusters = dofile "lib/clusters.lua"
local three, two = clusters.like("p100x2", 3, 0.25), cluster.preset "p100x2"
assert(#three.devices == 3 and three.devices[3].flops == two.devices[1].flops
  and three.devices[3].memory == two.devices[1].memory)
assert(three.devices[2].launch == two.devices[1].launch)
assert(three:link("gpu:0", "gpu:2").bandwidth == two:link("gpu:0", "gpu:1").bandwidth / 4)
assert(three:link("gpu:0", "gpu:2").latency == two:link("gpu:0", "gpu:1").latency)

-- Verdicts.
local verdicts = dofile "lib/verdicts.lua"
local list = verdicts.new()
list.less("a", 0.7, 0.3)
list.less("b", 0.71, 0.3)
list.less("c", nil, 0.3)
assert(list.rows[1][2] == "reached" and list.rows[1][3] == "30.0 %")
assert(list.rows[2][2] == "NOT reached" and list.rows[3][2] == "not measured")
