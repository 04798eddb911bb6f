-- Without computations: the library is tests/study/fake-ort.c.
local t = dofile "support.lua"
local toy, folder = arg[1], arg[2]

local model = t.small_model(folder)

t.raises("opts.model", measure.run, {})
t.raises("opts.policies: which?", measure.run, { model = model })
t.raises("there is no such option", measure.run, { model = model, runtime = "x.so" })
t.fails("only ONNX models", measure.run{ model = toy, policies = { "heft" }, cores = 1 })
t.raises("hefty", measure.run, { model = model, policies = { "heft", "hefty" } })

local m = assert(measure.run{ model = model, policies = { "single", "heft" }, cores = 1, runs = 3,
  force = true, folder = folder .. "/out" })
assert(tostring(m):find "^Measurement of small: 2 plans")
assert(#m.graph:nodes() == 3 and #m.cluster.devices == 1 and m.single > 0 and m.latency == 0)
assert(type(m.provisional) == "string" and m.note == "")
assert(m:text():find "\nsingle " and m:json():find '"hand_overs": 0' and m:csv():find "\nheft,")

local single = m:plans()[1]
assert(single.name == "single" and single.segments == 1 and single.hand_overs == 0)
assert(single.runs == 3 and single.inside_share == 1)
assert(single.low <= single.measured and single.measured <= single.high)
assert(math.abs(single.recorded.makespan - single.measured) < 1e-6 * single.measured + 1e-9)
assert(math.abs(single.run.makespan - single.predicted) < 1e-12)

local ops = m:ops(2)
assert(#ops == 3 and ops[1].node == "left" and ops[1].inside and ops[1].measured > 0)
t.raises("no plan of that number", m.ops, m, 3)
assert(#plan.load(folder .. "/out/heft.plan.json", m.graph, m.cluster).cluster.devices == 1)

-- A saved plan is measured again, as any plan for these devices.
local again = assert(measure.run{ model = model, plans = { folder .. "/out/heft.plan.json" },
  cores = 1, runs = 3, force = true })
assert(#again:plans() == 1 and again:plans()[1].name == "heft.plan.json")
t.fails("nowhere.json", measure.run{ model = model, plans = { folder .. "/nowhere.json" },
  cores = 1, force = true })

local scatter = m:plot()
assert(scatter.kind == "scatter" and scatter.points == 2)
assert(scatter:save(folder .. "/scatter.svg"))

-- In the session: the open graph gets the measured times and cores, as one change.
t.fails("open the measured model", m:show())
app.open(toy)
t.fails("other nodes", m:show())
app.open(model)
local opened = g
assert(m:show())
assert(table.concat(app.log(), "\n"):find('assert(measure.run{ model = "' .. model
  .. '", policies = { "single", "heft" }, cores = 1, runs = 3, force = true }):show()', 1, true))
assert(g == opened and #r.cluster.devices == 1 and (r.name == "single" or r.name == "heft"))
local times = 0
for node in g:nodes():each() do times = times + node.cost end
assert(math.abs(times - m.single) < 1e-6 * m.single + 1e-9)
local here = assert(measure.run{ model = model, plans = { 1, r }, cores = 1, runs = 3,
  force = true })
assert(#here:plans() == 2)
t.raises("not so many runs", measure.run, { model = model, plans = { 99 } })
t.raises("a path, a run", measure.run, { model = model, plans = { {} } })
app.undo()
assert(r == nil and g == opened)
