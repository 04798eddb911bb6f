-- examples.lua: the example of one name's help, run as it stands there, with samples/toy.dot open.
--
-- Made before are what help calls a value of the type (g, r, s, ...), and what the example reads.
local key, example = arg[1], arg[2]
local owner = key:match "^[^.]+"

local function run(names)
  local env = names and setmetatable(names, { __index = _G }) or _G
  local f = load("return " .. example, "=" .. key, "t", env)
  if not f then f = assert(load(example, "=" .. key, "t", env)) end
  f()
end

app.open "samples/toy.dot"
app.mkdir "goban-out"
view.show{ sim.run(plan.single(g)), sim.run(plan.random(g)), sim.run(plan.heft(g)) }
view.show(3)
out[1] = r.makespan
view.select(g:where{ op = "Conv" })

local FEW = "lessons=3,problems=2,rollouts=3,labels=5,imitations=1,validation=2,every=3"

local function train(output)
  j = assert(policy.train{ policy = "builder", settings = FEW, steps = 2, output = output })
  assert(j:wait())
end

-- Other programs may be busy meanwhile, and the sample's weights are 95 MB in each of its parts.
local measure_run = measure.run
function measure.run(opts)
  opts.model = dofile "support.lua".small_model "."
  opts.force, opts.runs = true, 1
  return measure_run(opts)
end

-- By name, or by the module or type of several.
local make = {
  Array = function() a = array{ 1, 4, 9 } end,
  Bench = function()
    b = assert(bench.run{ suite = "quick", graphs = "rnnlm", policies = { "heft" } })
  end,
  Cluster = function() c = cluster.preset "p100x4" end,
  Control = function() s = ui.slider("n", 1, 8, 2) end,
  Decisions = function() d = r.decisions end,
  Moment = function() m = r.decisions[1] end,
  Diff = function() d = compare(plan.single(g), p) end,
  Job = function() train "mine.net" end,
  Measurement = function()
    m = assert(measure.run{ model = "samples/inception-v3.onnx", policies = { "heft" } })
  end,
  Node = function() n = g:node "text/attention" end,
  Picture = function() p = show(r) end,
  Plot = function() p = plot{ 1, 4, 9 } end,
  Set = function() s = g:where{ op = "Conv" } end,
  Table = function()
    t = records{
      { graph = "a", policy = "heft", devices = 2, makespan = 2e-3 },
      { graph = "a", policy = "single", devices = 2, makespan = 4e-3 },
    }
  end,
  Trainer = function()
    t = assert(policy.trainer{ settings = FEW, steps = 2, output = "mine.net" })
  end,
  lesson = function() lesson.open(4, 2) end,
  scene = function() for _ = 1, 3 do scene.add{ text = "what is shown" } end end,
  ["Graph.cells"] = function() app.open "rnnlm:layers=2" end,
  ["Graph.training"] = function() app.open "samples/inception-v3.onnx" end,
  ["Graph.with_costs"] = function() r:trace "profile.json" end,
  ["app.open_session"] = function() app.save_session "toy.goban" end,
  ["Table.crossover"] = function()
    s = sweep{ policy = { "heft", "single" }, devices = { 1, 4 }, run = function(v)
      return v.policy == "heft" and 4 / v.devices or 2
    end }:summary{ by = { "policy", "devices" }, value = "value" }
  end,
  ["Table.pareto"] = function()
    t = records{ { time = 1, memory = 9 }, { time = 2, memory = 3 }, { time = 3, memory = 4 } }
  end,
  ["app.read"] = function() app.write("notes.txt", "heft wins") end,
  ["app.write"] = function() d = compare(1, 2) end,
  ["cluster.load"] = function() cluster.preset "p100x4":save "lab.json" end,
  ["cluster.parse"] = function()
    cluster.preset "p100x4":save "lab.json"
    text = app.read "lab.json"
  end,
  ["compare.pair"] = function() compare.show(1, 2, 3) end,
  ["compare.race"] = function() compare.show(1, 2) end,
  ["compare.runs"] = function() r1, r2 = compare.listed(1), compare.listed(2) end,
  ["job.list"] = function()
    assert(policy.train{ policy = "builder", steps = 1000, output = "mine.net" })
  end,
  ["plan.load"] = function() p:save "best.json" end,
  ["plan.recorded"] = function()
    r:trace "run.json"
    app.open "run.json"
  end,
  ["policy.load"] = function() train "goban-out/builder.net" end,
  ["view.recall"] = function() view.snapshot(1) end,
  ["view.unmark"] = function() view.mark("0.1ms", "warm-up") end,
}
make["array.load"] = make.Array
make["cluster.calibrate"] = make["Graph.with_costs"]
make["Graph.replicas"] = make["Graph.training"]
make["app.is_session"], make["plot.heat"] = make["app.open_session"], function()
  rows = sweep{ layers = { 1, 2 }, devices = { 2, 4 }, run = function(v)
    return plan.heft(graph.generate("rnnlm", { layers = v.layers }), 0, "equal:" .. v.devices)
  end }
end
make.Device, make.Link = make.Cluster, make.Cluster
make["plot.lines"], make["job.trainings"], make["policy.film"] = make.Job, make.Job, make.Trainer

-- Tasks of policies exist while a policy runs; what it returns after the example does not matter.
local is_run = false
local function once(names)
  run(names)
  is_run = true
  error "the example has run"
end
local tasks = {
  Search = { propose = function(plan, search)
    once{ plan = plan, search = search, node = g:topo():at(1), d = "gpu:1" }
  end },
  State = { step = function(node, state) once{ state = state, node = node, d = "gpu:1" } end },
}
if tasks[owner] then
  policy.register("mine", tasks[owner])
  local _, why = policy.get "mine":decide(g, { cluster = "p100x4" })
  assert(is_run, why)
  return
end

local set_up = make[key] or make[owner]
if set_up then set_up() end
run()
