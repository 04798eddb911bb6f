local t = dofile "support.lua"
local folder = arg[2]
local g = assert(graph.load(arg[1]))

local d = compare(plan.single(g), sim.run(plan.heft(g)))
assert(#d == 2 and math.abs(d.delta + 740e-6) < 1e-9 and d.best.name == "heft")
assert(tostring(d) == "Diff: 4 moved, 0 re-prioritised, −740 µs")
assert(#d:moved() == 4 and d:moved():at(1).device == "gpu:1")
assert(d:matrix()["gpu:0"]["gpu:1"] == 4 and not d:matrix()["gpu:1"])
assert(#d:reprioritised() == 0 and not d:worse(0) and d.verdict ~= "")
assert(compare(d.runs[2], d.runs[1]):worse(5))
assert(d:report():find "heft" and d:report(folder .. "/report.txt"))
t.fails("", d:report(folder .. "/nowhere/report.txt"))

local many = assert(compare.policies(g, { "heft", "metis" }, { cluster = "p100x2", seed = 1 }))
assert(#many == 3 and many[3].policy == "single" and many:text():find "metis")
assert(many[1].ratio == 1 and many[1].makespan == many[1].run.makespan and many[3].ratio > 1)
assert(tostring(compare(many)):find "^Comparison of 3 runs: best is heft")
-- One that fails does not lose the others.
local one = assert(compare.policies(g, { "heffed", "heft" }))
assert(#one == 3 and one[1].error:find "heffed" and not one[1].run and one[2].valid)
assert(#compare(one).runs == 2 and #compare.policies(g, {}) == 1)
t.fails("heffed", compare.policies(g, { "heffed" }))
t.raises("names%[1%]: string expected, got number", compare.policies, g, { 1 })
t.raises("bad argument #2 to 'compare' %(Run or Plan expected, got Graph%)", compare, d.runs[1], g)
t.raises("compare: run 2 is a run of another graph; compare.causes", compare, d.runs[1],
  plan.heft(graph.load(arg[1])))
t.raises("one run alone", function() compare(d.runs[1]):moved() end)
t.raises("different numbers of devices", function()
  compare(plan.heft(g), plan.heft(g, "p100x2")):moved()
end)

-- The session's difference: by device, by fusion, by time.
assert(#d:moved("gpu:0", "gpu:1") == 4 and #d:moved("gpu:1", "gpu:0") == 0 and #d:refused() == 0)
t.raises("there is no device 'gpu:9'", d.moved, d, "gpu:0", "gpu:9")
local retimed = d:retimed()
assert(#retimed > 0 and #d:retimed "1s" == 0 and #d:retimed "10us" <= #retimed)
t.raises("it is negative", d.retimed, d, -1)
local node = retimed:at(1)
assert(math.abs(d:change(node).finish - (node.finish - d.runs[1]:node(node.name).finish)) < 1e-12)
assert(d:change(node).rank == 0)
assert(d:describe "10us":find "^single .*of 12 nodes 4 moved, .* by 10 µs or more\n")
assert(select(2, d:describe(0, 1):gsub("\ntime ", "")) == 1)

-- Plans for more devices than there are have runs, but nothing to compare.
local lost = sim.run(g, plan.heft(g, "p100x8"), "p100x2")
assert(not lost.valid)
local homeless = 0
for n in sim.run(g, plan.random(g, { seed = 1, cluster = "p100x8" }), "p100x2"):nodes():each() do
  if n.device == nil and n.cost == nil then homeless = homeless + 1 end
end
assert(homeless > 0)
local both = compare(lost, sim.run(g, plan.single(g, { cluster = "p100x8" }), "p100x2"))
assert(tostring(both) == "Comparison of 2 runs: none is valid" and both:report())
t.raises("heft: the plan is for 8 devices, but cluster .-p100x2.- has 2", both.moved, both)
assert(compare(plan.heft(g), plan.heft(g, "p100x2")):report():find "heft")
assert(lost:at(0).text:find "^at 0 µs: 0 running, 0 ready, 0 done, 12 waiting\n")

-- Which plans are beside each other is the session's, with a window or without one.
view.open(g)
local runs = {}
for i, name in ipairs{ "heft", "single", "round-robin" } do
  runs[i] = sim.run(policy.get(name):decide(g), { name = name })
end
view.show(runs)
local function names()
  local list = {}
  for i, run in ipairs(compare.state().runs) do list[i] = run.name end
  return table.concat(list, " ")
end
local function last_line() return app.log()[#app.log()] end
compare.show()
assert(compare.state().open and #compare.state().runs == 2)
compare.show(runs[2], runs[1], runs[3])
assert(names() == "single heft round-robin" and last_line():find "^compare%.show%(%d, %d, %d%)$")
compare.pair(1, 3)
compare.swap()
assert(names() == "round-robin heft single" and last_line() == "compare.swap()")
assert(compare.state().pair[1] == 1 and compare.state().pair[2] == 3)
compare.mode "overlay"
compare.unchanged "hide"
compare.threshold "0.1us"
compare.sync{ time = false }
assert(compare.state().scales == "common" and compare.state().lanes == "devices")
compare.race()
assert(compare.state().race)
compare.race(false)
assert(not compare.state().race)
compare.scales "own"
compare.devices "own"
compare.lanes "all"
assert(compare.state().scales == "own" and compare.state().lanes == "all"
  and last_line() == 'compare.lanes "all"')
local state = compare.state()
assert(state.mode == "overlay" and state.unchanged == "hide"
  and math.abs(state.threshold - 1e-7) < 1e-20)
assert(state.sync.view and not state.sync.time and state.sync.selection)

-- The log says it all again.
local said = {}
for _, line in ipairs(app.log()) do
  if line:find "^compare%." then said[#said + 1] = line end
end
compare.mode "side"
compare.unchanged "dim"
compare.threshold "1ms"
compare.sync{ time = true }
compare.scales "common"
compare.lanes "devices"
compare.devices "matched"
compare.show(1, 2)
for _, line in ipairs(said) do assert(load(line))() end
assert(names() == "round-robin heft single" and compare.state().mode == "overlay"
  and compare.state().threshold == state.threshold)
assert(compare.state().scales == "own" and compare.state().lanes == "all"
  and compare.state().devices == "own")
compare.devices "matched"

view.remove(runs[2])
assert(names() == "round-robin heft")
app.undo()
assert(names() == "round-robin heft single")
compare.close()
assert(not compare.state().open)
t.raises("one plan alone", compare.show, 1)
t.raises("there twice", compare.show, 1, 1)
t.raises("not so many runs", compare.show, 1, 9)
t.raises("four plans", compare.show, 1, 2, 3, 1, 2)
t.raises("not in the list", compare.show, 1, d.runs[1])
t.raises("not so many plans are compared", compare.pair, 1, 4)
t.raises("differ from itself", compare.pair, 1, 1)
t.raises("one of side, overlay", compare.mode, "sideways")
t.raises("one of show, dim", compare.unchanged, "blue")
t.raises("invalid option 'mine'", compare.scales, "mine")
t.raises("invalid option 'links'", compare.lanes, "links")
t.raises("a time of at least 0 is needed", compare.threshold, -1)
t.raises("each true or false", compare.sync, { zoom = true })

-- Devices that may change places have the names they have in the first plan.
do
  local g = graph.load(arg[1])
  local c = cluster.preset "p100x2"
  local p = plan.heft(g, { cluster = c })
  local other = p:copy()
  for node in g:nodes():each() do
    other:move(node.name, p:device(node.name) == "gpu:0" and "gpu:1" or "gpu:0")
  end
  local d = compare(p, other)
  assert(#d:moved() == 0 and d.renamed:find "gpu:0 and gpu:1 are exchanged, which changes nothing$")
  assert(#d:unmatched():moved() == #g and not d:unmatched().renamed)
  assert(d:describe():find "are exchanged")
end

-- What it comes from, taken back, and as rows.
local whole = compare(plan.single(g), plan.heft(g))
local bars = assert(whole:why())
local at = bars[1].to
for i = 2, #bars - 1 do
  if bars[i].kind ~= "group" then
    assert(math.abs(bars[i].from - at) < 1e-12 and bars[i].possible)
    at = bars[i].to
  end
end
assert(bars[1].kind == "before" and bars[#bars].kind == "after"
  and math.abs(at - bars[#bars].to) < 1e-9)
assert(bars[2].kind == "placement" and #bars[2].set == #whole:moved())
assert(bars.sentence:find "^heft takes 740 µs less than single %(−40.9 %%%): placement ")
assert(tostring(bars):find "interaction" and bars.method:find "Shapley")
local waterfall = assert(plot(bars))
assert(waterfall.kind == "bars" and waterfall.points < #bars, tostring(waterfall)) -- no placement
assert(waterfall:csv():find("single,0.00181,0,", 1, true)
  and waterfall:csv():find("heft,0.00107,0,", 1, true), waterfall:csv())
assert(plot(whole:why(), { x = "label", kind = "bars" }).points > waterfall.points)
t.fails("opts.from: bars begin somewhere, a plot of kind lines has none",
  plot.lines({ 1, 2 }, { from = "i" }))
local moved = bars[2]
local back = whole:revert(moved)
for node in moved.set:each() do assert(back:device(node.name) == "gpu:0") end
assert(sim.run(back).makespan ~= whole.runs[2].makespan)
local changes = { placement = "moved", group = "moved", order = "order", fusion = "fused" }
for _, bar in ipairs(bars) do
  assert(bar.change == (bar.set and #bar.set > 0 and changes[bar.kind] or nil))
end
t.raises("this part changes no node", whole.revert, whole, bars[1])
t.raises("there is no kind of change “mowed”: say moved, fused", whole.revert, whole, "mowed",
  moved.set)
t.raises("Set expected", whole.revert, whole, "moved", 3)
t.fails("not both in the list", whole:try(moved))

g = graph.load(arg[1])
view.open(g)
view.show { sim.run(plan.single(g)), sim.run(plan.heft(g)) }
local listed = compare(2, 1)
local tried = assert(listed:try(listed:why()[2]))
assert(tried.name:find "^heft without " and r == tried)
local line = app.log()[#app.log()]
assert(line:find '^compare.try%(2, 1, "%a+", g:nodes')
assert(app.undo())
local again = assert(load("return " .. line))()
assert(again.name == tried.name and again.makespan == tried.makespan)
t.raises("not so many runs", compare, 1, 9)

-- Runs of other graphs and clusters, by what their devices do.
do
  local spec = "gpt:layers=4,width=256,heads=8,vocabulary=1024,sequence=128,batch=1"
  local one = assert(graph.generate(spec):parallel { dp = 4, cluster = "p100x4" })
  local four = assert(graph.generate(spec):parallel { tp = 4, batch = 32, cluster = "p100x4" })
  assert(one.name == "1f1b, dp 4" and four.name == "1f1b, tp 4")
  local causes = compare.causes(one, four)
  local sum, of = causes[1].to, {}
  for i = 2, #causes - 1 do
    assert(causes[i].kind == "cause")
    sum, of[causes[i].label] = sum + causes[i].delta, causes[i].delta
  end
  assert(math.abs(sum - four.makespan) < 1e-12 and causes[#causes].to == four.makespan)
  assert(of.collectives ~= 0 and of.updates < 0 and not of.recomputation)
  assert(tostring(causes):find "on the mean$" and causes.sentence:find "collectives")

  local both = compare.graphs(one, four)
  assert(both.origin > 0 and #both.first_alone > 0 and both.causes[1].to == one.makespan)
  assert(both.text:find "by origin" and both.text:find "on the mean%s*$")
  local a, b = graph.generate(spec), graph.generate(spec .. ",tp=2")
  both = compare.graphs(a, b)
  assert(#both.first_alone == 0 and both.name == #a:nodes() and not both.causes)
  assert(#both.second_alone == #b:nodes() - #a:nodes())
end

local changes = whole:changes()
assert(#changes >= #whole:moved() and #whole:changes "1s" == #whole:moved() + 0)
assert(changes[1].node and changes[1].from == "gpu:0" and changes[1].finish)
local csv = whole:csv()
assert(csv:find "^node,op,from,to,rank_change,fused_otherwise,start_change_us,finish_change_us\n")
assert(select(2, csv:gsub("\n", "")) == #changes + 1)

assert(whole:report(folder .. "/page.html"))
assert(compare(whole.runs[1], whole.runs[2], whole.runs[1]):report(folder .. "/three.html"))
t.fails("", whole:report(folder .. "/nowhere/page.html"))
for _, ending in ipairs { "pdf", "svg", "png" } do
  t.fails("print that page", whole:report(folder .. "/page." .. ending))
end

-- What has changed between two graphs, by fields.
do
  local function nodes(change)
    local names = {}
    for node in change.nodes:each() do names[#names + 1] = node.name end
    return table.concat(names, " ")
  end
  local one = graph.new{
    { name = "a", op = "Input", outputs = "4MB", times = "1ms" },
    { name = "b", op = "X", inputs = "a", outputs = { { bytes = 8, dims = { 2 } } },
      times = "2ms" },
    { name = "join", inputs = { "a", "b" }, outputs = "4MB", times = "3ms" },
    { name = "end", inputs = "join" } }
  assert(one:save(folder .. "/one.json"))
  local same = compare.graphs(one, graph.load(folder .. "/one.json"))
  assert(same.equal and #same.changes == 0 and not same.text:find "\n")
  assert(not compare.graphs(one, one:edit{ add = { { name = "c" } } }).equal)
  local larger = compare.graphs(one, one:edit{ where = { "join" }, set = { outputs = "9MB" } })
  assert(not larger.equal and #larger.changes == 1 and larger.changes[1].field == "bytes")
  assert(larger.text:find "\nbytes: 1 node: join: 4 MB → 9 MB$" and tostring(larger) == larger.text)
  local other = graph.new{
    { name = "a", op = "Conv", outputs = "4MB", times = "1ms" },
    { name = "b", op = "X", inputs = "a", outputs = { { bytes = 8, dims = { 4 } } },
      times = "5ms" },
    { name = "join", inputs = { "b", "a" }, outputs = "4MB", times = "3ms", param_bytes = 100 },
    { name = "end", inputs = "join", group = "k", flops = 7 } }
  local expected = { op = "a", edges = "join", dims = "b", costs = "b end", parameters = "join",
    group = "end" }
  for _, change in ipairs(compare.graphs(one, other).changes) do
    assert(nodes(change) == expected[change.field], tostring(change))
    expected[change.field] = nil
  end
  assert(next(expected) == nil, next(expected))
end
