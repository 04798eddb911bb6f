local t = dofile "support.lua"
local folder = arg[2]
local g = assert(graph.load(arg[1]))

-- One function per policy, on any cluster.
for _, row in ipairs(policy.list()) do
  local p = assert(plan[row.name:gsub("-", "_")](g, { cluster = "p100x2", seed = 3, evals = 300 }))
  assert(p:check() and p.policy == row.name and #p.cluster.devices == 2)
end
assert(tostring(plan.heft(g)) == "Plan heft: 12 nodes on 4 devices")
assert(#plan.heft(g, cluster.preset "p100x8").cluster.devices == 8)
assert(plan.random(g, 1):save(folder .. "/a.json")
  and plan.random(g, { seed = 1 }):save(folder .. "/b.json"))
local a, b = plan.load(folder .. "/a.json", g), plan.load(folder .. "/b.json", g)
assert(#compare(a, b):moved() == 0)
t.raises("opts.sead: there is no such option", plan.heft, g, { sead = 1 })
t.raises("opts.seed: whole number expected, got a fraction", plan.heft, g, { seed = 1.5 })
-- It does what it is made for.
assert(plan.heft(g, { tasks = "scheduling, placement" }).policy == "heft")
t.raises("placing", plan.heft, g, { tasks = "placing" })
t.raises("opts.tasks: string expected", plan.heft, g, { tasks = 3 })
t.raises("Graph expected, got string", plan.heft, "g")
t.raises("", plan.heft, g, { cluster = "p1000" })

-- What learned policies may be told: the others do not mind.
local told = plan.heft(g, { network = "nowhere.net", settings = "credit=0",
  start = plan.single(g) })
assert(#compare(told, plan.heft(g)):moved() == 0)
t.raises("opts.start: Plan expected, got string", plan.heft, g, { start = "best.json" })
t.fails("the plan to start from is for 12 nodes on 2 devices, not for 12 on 4",
  plan.heft(g, { start = plan.heft(g, "p100x2") }))

-- By hand; a plan that a run has is copied before it changes.
local p = plan.new(g)
assert(p:device "fuse" == "gpu:0" and p.graph == g and p.policy == "by hand")
assert(p:move("fuse", "gpu:1") == p and p:device "fuse" == "gpu:1")
p:move(g:where { op = "MatMul" }, "gpu:2"):prio(g:node "fuse", 9)
assert(p:device "head/dense" == "gpu:2" and p:prio "fuse" == 9)
local r = sim.run(g, p)
p:move(g:nodes(), "gpu:3")
assert(r.plan:device "fuse" == "gpu:1" and p:device "fuse" == "gpu:3")
local q = p:copy()
q:move("fuse", "gpu:0")
assert(p:device "fuse" == "gpu:3")
p.order = "fifo"
assert(p.order == "fifo" and r.plan.order == "fifo")
t.raises("invalid option", function() p.order = "chaos" end)
t.raises("there is no device 'gpu:4'; there are: gpu:0 gpu:1 gpu:2 gpu:3", p.move, p, "fuse",
  "gpu:4")
t.raises("there is no node nobody", p.move, p, "nobody", "gpu:0")
t.raises("a set of another graph", p.move, p, graph.load(arg[1]):nodes(), "gpu:0")
t.raises("it is too large", p.prio, p, "fuse", 2 ^ 40 // 1 | 0)

-- Single, on a device or as the policy chooses.
assert(plan.single(g, "gpu:2"):device "input" == "gpu:2" and plan.single(g):check())
assert(plan.single(g, "gpu:1", "p100x2").policy == "single")

-- As files of other frameworks.
local placed, note = assert(plan.heft(g):apply{ target = "openvino", path = folder .. "/p.py" })
assert(placed == folder .. "/p.py" and note:find "priorities" and app.read(placed):find "GPU.0")
t.raises("do you mean “openvino”", p.apply, p, { target = "openvio", path = placed })
t.raises("opts.path", p.apply, p, { target = "openvino" })
t.fails("ort needs a graph from a file of the format onnx",
  p:apply{ target = "ort", path = folder .. "/p.onnx" })
assert(app.write(folder .. "/a.pbtxt", "node { name: 'a' op: 'A' }"))
local tf = graph.load(folder .. "/a.pbtxt")
local by_hand = plan.new(tf):move("a", "gpu:2")
local opts = { target = "tensorflow", path = folder .. "/b.pbtxt" }
t.fails("which must have a path", by_hand:apply(opts))
opts.model = folder .. "/a.pbtxt"
assert(by_hand:apply(opts))
assert(plan.tf_default(graph.load(opts.path)):device "a" == "gpu:2")

-- Fusion: as XLA does, by hand, and back.
local f = plan.heft(g)
assert(f.kernels == 12 and f:fusion "fuse" == nil)
local fused = f:copy():fuse_default()
assert(fused.kernels == 8 and f.kernels == 12 and fused:check())
assert(sim.run(g, fused).makespan < sim.run(g, f).makespan)
assert(fused:unfuse().kernels == 12)
fused:fusion("image/conv2", 5):fusion("image/pool", 5)
assert(fused.kernels == 11 and fused:fusion "image/pool" == 5)
assert(fused:fusion("image/pool", false):fusion "image/pool" == nil)
fused:fusion("image/conv1", 5)
t.fails("a kernel has at most one heavy op", fused:check())
assert(sim.run(g, fused).valid == false)
t.raises("it must be 0 or more, or false", fused.fusion, fused, "fuse", -1)

-- Files.
assert(q:save(folder .. "/plan.json"))
assert(plan.load(folder .. "/plan.json", g):device "fuse" == "gpu:0")
t.fails("no such file", plan.load(folder .. "/nowhere.json", g))
t.raises("no graph is open", plan.load, folder .. "/plan.json")
view.open(g)
assert(plan.load(folder .. "/plan.json"))

-- Lists and arrays of devices make the plan that moves make.
do
  local c = cluster.preset "p100x2"
  local nodes = g:rows()
  local names, numbers, priorities, byhand = {}, {}, {}, plan.new(g, c)
  byhand.order = "priority"
  for i, node in ipairs(nodes) do
    numbers[i] = 1 + i % 2
    names[i] = "gpu:" .. i % 2
    priorities[i] = 100 - i
    byhand:move(node.name, names[i]):prio(node.name, priorities[i])
  end
  local written = folder .. "/from.json"
  for _, p in ipairs { plan.from(g, c, names, { priorities = priorities }),
                       plan.from(g, c, array(numbers), { priorities = array(priorities) }) } do
    assert(#compare(p, byhand):moved() == 0 and p.order == "priority" and p:save(written))
    assert(sim.run(g, p).makespan == sim.run(g, byhand).makespan)
  end
  assert(plan.from(g, c, numbers).order == "fifo" and plan.from(g, c, numbers).kernels == #nodes)
  local alike = {}
  for i = 1, #nodes do alike[i] = i <= 2 and 7 or -1 end
  assert(plan.from(g, c, numbers, { kernels = alike }):fusion(nodes[2].name) == 7)
  t.raises("element for each of the 12 nodes", plan.from, g, c, { 1 })
  numbers[3] = 3
  t.raises("node 3: there is no device 3; there are 2", plan.from, g, c, numbers)
  numbers[3] = 1.5
  t.raises("number 3 of the list: a whole number expected", plan.from, g, c, numbers)
  names[3] = "tpu:0"
  t.raises("there is no device 'tpu:0'", plan.from, g, c, names)
  t.raises("opts.seed is unknown; known are kernels, priorities", plan.from, g, c, names,
    { seed = 1 })
end
