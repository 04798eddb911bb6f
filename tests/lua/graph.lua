local t = dofile "support.lua"
local toy, folder = arg[1], arg[2]

local g = assert(graph.load(toy))
assert(#g == 12 and g.n_nodes == 12 and g.n_edges == 14 and g.format == "dot")
assert(tostring(g) == "Graph toy: 12 nodes, 14 edges" and g.name == "toy")
assert(type(g.warnings) == "table")
do
  local path = folder .. "/pair.dot"
  assert(app.write(path, "digraph pair { a -> b; }"))
  local pair = assert(graph.load(path))
  assert(tostring(pair) == "Graph pair: 2 nodes, 1 edge", tostring(pair))
  local one = cluster.preset "equal:1"
  assert(tostring(one) == "Cluster equal:1: 1 device", tostring(one))
  assert(tostring(plan.single(pair, one)) == "Plan single: 2 nodes on 1 device",
    tostring(plan.single(pair, one)))
end
assert(graph.load(toy) == g and graph.load(toy) ~= g:edit{ where = "op = Conv", cost = 2 })

-- Failures are values, misuse is an error.
t.fails("no such file", graph.load "nowhere.dot")
t.fails("there is no node nobody in the graph toy", g:node "nobody")
t.raises("opts.batch: whole number expected, got string", graph.load, toy, { batch = "8" })
t.raises("opts.batch: whole number expected, got a negative number", graph.load, toy,
  { batch = -1 })
t.raises("opts.batsh: there is no such option; there are: format", graph.load, toy, { batsh = 8 })
t.raises("string expected", graph.load, {})
t.raises("a Graph has no field 'nam'; it has: .*name.*where%(%)", function() return g.nam end)
t.raises("the field 'name' of a Graph cannot be set", function() g.name = "x" end)

-- A unit for numbers without one.
assert(app.write(folder .. "/w.dot", "digraph w { a [time=5]; a -> b }"))
assert(math.abs(graph.load(folder .. "/w.dot"):stats().work - 5e-6) < 1e-12)
local slow = assert(graph.load(folder .. "/w.dot", { time_unit = "1ms", format = "dot" }))
assert(math.abs(slow:stats().work - 5e-3) < 1e-12)
t.fails("", graph.load(toy, { format = "klingon" }))

-- Nodes.
local n = assert(g:node "fuse")
assert(g:node(0).name == "input" and g:node(#g - 1).name == "head/softmax")
t.fails("there is no node 12 in the graph toy", g:node(12))
t.fails("there is no node %-1 in the graph toy", g:node(-1))
assert(n.name == "fuse" and n.op == "Concat" and n == g:node "fuse" and n ~= g:node "input")
assert(n.cost == 90e-6 and n:cost_on "gpu:0" == 90e-6)
assert(n.device == nil and n.start == nil and n.slack == nil)
assert(n.phase == "forward" and n.source == "given" and math.type(n.bytes) == "integer")
assert(#n:inputs() == 3 and #n:outputs() == 1)
assert(n:describe():find "Concat")
t.raises("there is no device 'gpu:9'; there are: gpu:0 gpu:1", n.cost_on, n, "gpu:9")
t.raises("a Node has no field 'colour'", function() return n.colour end)

-- Paths and sums.
local topo = g:topo():map "name"
assert(#topo == 12 and topo[1] == "input")
local path = g:critical_path()
assert(path:at(1).name == "input" and path:sum "cost" == 1070e-6)
local stats = g:stats()
assert(stats.nodes == 12 and stats.ops.MatMul == 3 and math.abs(stats.work - 1810e-6) < 1e-12)

-- Training graphs and files.
local training = assert(g:training())
assert(#training > #g and training:node "grad/fuse".phase == "backward")
t.fails("", training:training())
local file = folder .. "/copy.json"
assert(g:save(file))
assert(#assert(graph.load(file)) == 12)
t.fails("", g:save(folder .. "/nowhere/copy.json"))
t.fails("", g:save(folder .. "/copy.klingon"))

-- Measured times, by name.
local profile = folder .. "/profile.json"
assert(app.write(profile, '[{"ph": "X", "name": "fuse", "ts": 0, "dur": 7}]'))
local measured = assert(g:with_costs(profile))
assert(#measured == #g and measured.warnings[#measured.warnings]:find "1 of 1 operations")
t.fails("", training:with_costs(folder .. "/nowhere.json"))

-- Graphs of families, by a spec or by keys.
local families = graph.families()
for _, family in ipairs(families) do
  assert(family.name ~= "" and family.blurb ~= "" and family.source ~= "" and #family.knobs > 2)
end
assert(#families == 12)
local made = assert(graph.generate("rnnlm", { layers = 3, granularity = "coarse" }))
assert(made.format == "generated" and made.name:find "layers=3")
assert(#assert(graph.load(made.name)) == #made)
assert(#assert(graph.generate("rnnlm:granularity=coarse", { layers = 3.0 })) == #made)
t.fails("", graph.generate("rnnlm", { no_such_key = 3 }))
t.raises("opts.layers: word or whole number expected, got number", graph.generate, "rnnlm",
  { layers = 1.5 })
t.fails("", graph.generate "klingon")

-- The log makes them again, wherever it is replayed.
local function last_line() return app.log()[#app.log()] end
assert(app.open "rnnlm:granularity=coarse")
assert(last_line() == 'view.open(graph.load("rnnlm:granularity=coarse"))')
view.open(made)
assert(last_line() == 'view.open(graph.generate("rnnlm:layers=3,granularity=coarse"))')

-- Groups within groups: parents first, every node once at each depth.
local groups = g:hierarchy "scope"
assert(#groups == 4 and groups[1].path == "" and groups[1].parent == nil and #groups[1].nodes == 12)
assert(groups[2].path == "image" and groups[2].parent == "" and groups[2].depth == 1)
assert(not groups[2].fold and groups[2].nodes:contains "image/conv1" and #groups[2].nodes == 4)
assert(#g:hierarchy("scope", 0) == 1 and #g:hierarchy() == 1 and #g:hierarchy "cluster" == 1)
t.raises(
  "there is no grouping 'colour'; there are: auto none scope layer step parameter use cluster",
  g.hierarchy, g, "colour")
t.raises("a depth of at least 0 is needed", g.hierarchy, g, "scope", -1)

-- By parameter and use: a net of two layers and six steps, and a graph without parameters.
local net = assert(graph.load "rnnlm:layers=2,steps=6")
local by_parameter = net:hierarchy("parameter", 1)
assert(#by_parameter == 5 and by_parameter[1].path == "")
local layers = net:hierarchy "parameter"
assert(#layers == 1 + 4 * (1 + 6) and layers[3].path == layers[2].path .. "/" .. layers[3].name)
assert(#net:hierarchy("use", 1) == 1 + 6 and net:hierarchy("use", 1)[2].name:find "^use %d$")
local cells = net:cells()
local n_nodes = 0
assert(#cells == 4 * 6)
for i, row in ipairs(cells) do
  assert(row.parameter == by_parameter[(i - 1) // 6 + 2].path and row.parameters == 1)
  assert(row.use == (i - 1) % 6 + 1 and row.uses == 6)
  n_nodes = n_nodes + #row.nodes
end
assert(n_nodes == #net)
cells = net:cells { parameters = 1, uses = 3 }
assert(#cells == 3 and cells[1].parameter:find " %+3$" and cells[1].parameters == 4)
assert(cells[3].use == 3 and cells[3].uses == 3
  and #(cells[1].nodes + cells[2].nodes + cells[3].nodes) == #net)
assert(#net:cells { parameters = 100 } == 24 and #net:cells { parameters = 2 } == 12)
assert(app.write(folder .. "/tasks.dot", "digraph tasks { a [time=5]; a -> b }"))
t.fails("no op of the graph tasks uses a parameter",
  assert(graph.load(folder .. "/tasks.dot")):cells())
t.raises("cells.uses: at least 1 expected, got 0", net.cells, net, { uses = 0 })
t.raises("cells.parameters: whole number expected, got a fraction", net.cells, net,
  { parameters = 1.5 })
t.raises("cells.steps: there is no such option; there are: parameters uses", net.cells, net,
  { steps = 3 })

-- Contents of such groups, by the paths of the hierarchy.
for _, how in ipairs { "parameter", "use" } do
  for _, group in ipairs(net:hierarchy(how)) do
    if group.path ~= "" then assert(net:inside(group.path, how) == group.nodes) end
  end
end
assert(#net:inside({ "use 1", "use 2" }, "use") > #net:inside("use 2", "use"))
assert(g:inside("text", "scope") == g:inside "text")
t.raises("there is no group 'text' by use; g:hierarchy \"use\" lists them", net.inside, net, "text",
  "use")
t.raises("scope, layer, step, parameter or use expected", net.inside, net, "text", "cluster")

-- --- pipelines ----------------------------------------------------------------------------------

do
  local chain = assert(graph.generate("gnmt:layers=2,granularity=coarse"))
  local run, figures = assert(
    chain:pipeline{ schedule = "1f1b", micro_batches = 4, cluster = "p100x2" })

  local n_last = 0
  for node in run.graph:nodes():each() do
    if node.name:find "^mb3/" then n_last = n_last + 1 end
  end
  assert(run.makespan > 0 and n_last > 0)
  assert(figures.stages == 2 and figures.ranks == 2 and figures.micro_batches == 4)
  assert(math.abs(figures.uniform_bubble - 1 / 5) < 1e-9 and figures.bubble > 0)
  assert(figures.csv == "0F0,0F1,0B0,0F2,0B1,0F3,0B2,0B3\n1F0,1B0,1F1,1B1,1F2,1B2,1F3,1B3\n")
  assert(figures.copies == nil)
  local _, chosen = assert(chain:pipeline{ choose_stages = true, micro_batches = 16 })
  assert(#chosen.copies == 2 and chosen.copies[1] == 2 and chosen.copies[2] == 2)
  assert(chosen.copies_slowest < chosen.slowest)
  assert(chosen.stage_devices == nil)
  local copied, shared = assert(chain:pipeline{ copies = true, micro_batches = 16 })
  assert(table.concat(shared.stage_devices, ",") == table.concat(chosen.copies, ","))
  assert(shared.csv == nil and copied.makespan > 0)
  local told, figures = assert(
    chain:pipeline{ schedule = "gpipe", copies = { 1, 3 }, micro_batches = 6, split = true })
  assert(figures.stages == 2 and figures.ranks == 4 and figures.stage_devices[2] == 3)
  for node in told.graph:nodes():each() do
    if node.name:find "^mb4/" then assert(node.micro_batch == 4) end
  end
  t.fails("has one copy of each stage",
    chain:pipeline{ schedule = "zero-bubble", copies = { 1, 2 } })
  t.raises("opts.copies: a number for each stage", chain.pipeline, chain,
    { copies = { 1, 2 }, stages = 3 })
  t.raises("opts.copies: a number of at least 1", chain.pipeline, chain, { copies = { 1, 0 } })
  t.raises("opts.copies: true or a table", chain.pipeline, chain, { copies = 2 })
  t.fails("there is no schedule", chain:pipeline{ schedule = "gbipe" })
  t.raises("Plan expected", function() chain:pipeline{ plan = 3 } end)
  local other = assert(plan.single(assert(graph.generate("gnmt:layers=1,granularity=coarse"))))
  t.raises("opts.plan: it is a plan of another graph", chain.pipeline, chain, { plan = other })
  t.raises("opts.plan: it is a plan of another graph", chain.replicas, chain, { plan = other })
end

-- --- replicas and collectives -------------------------------------------------------------------

do
  local chain = assert(graph.generate("gnmt:layers=2,granularity=coarse"))
  local run, figures = assert(chain:replicas{ n = 2, bucket = 25e6, cluster = "p100x2" })

  assert(figures.replicas == 2 and figures.buckets > 0 and figures.gradient_bytes > 1e6)
  local carried = 0
  for _, row in ipairs(run:links()) do carried = carried + row.bytes end
  assert(carried >= run.transferred and run.valid)
  t.fails("do not fit", chain:replicas{ n = 3, cluster = "p100x2" })
  t.raises("ring or tree expected, got 'star'", chain.replicas, chain, { algorithm = "star" })

  local ring, of = assert(graph.collective("all-reduce", "8MB", { cluster = "p100x4" }))
  assert(of.kind == "all-reduce" and of.algorithm == "ring" and of.ranks == 4)
  assert(ring.makespan >= of.ideal and ring.transferred == 2 * 3 * 8e6)
  t.fails("there is no collective", graph.collective("all-sum", 8))
  assert(select(2, graph.collective("all-reduce", "8MB")).ranks == 4)
end
