local t = dofile "support.lua"
local toy = assert(graph.load(arg[1]))

-- Without a plan there is nothing to change.
t.raises("there is no plan to change", toy:nodes().move, toy:nodes(), "gpu:1")

-- Headless, on the run that the nodes were looked up in, which is shown first.
local single = sim.run(toy, plan.single(toy, "gpu:0"))
local moved = assert(single:where { op = "MatMul" }:move "gpu:2")
assert(g == toy and r == moved and moved.name == "single, by hand")
assert(moved.plan.policy == "single, by hand")
assert(#moved:where { device = "gpu:2" } == 3 and #compare(single, moved):moved() == 3)
assert(single.plan:device "image/embed" == "gpu:0")

-- What is in view is what changes, also for nodes that were looked up before.
local fuse = g:nodes { "fuse" }
fuse:move "gpu:1"
local last = fuse:prio(7)
assert(last == r and r.plan:device "fuse" == "gpu:1" and r.plan:prio "fuse" == 7)
assert(r.plan:device "image/embed" == "gpu:2")
assert(fuse:prio(-3).plan:prio "fuse" == -3)

t.raises("there is no device 'gpu:9'; there are: gpu:0 gpu:1 gpu:2 gpu:3", fuse.move, fuse, "gpu:9")
t.raises('a number, "up" or "down" expected', fuse.prio, fuse, "high")
t.raises("it is too large", fuse.prio, fuse, 2 ^ 40 // 1 | 0)

-- Members of a colocation group go together.
local training = assert(toy:training())
view.show(sim.run(training, plan.single(training, "gpu:0")))
local together = g:nodes { "fuse" }:move "gpu:3"
assert(together.valid and together.plan:device "fuse" == "gpu:3")
assert(together.plan:device "grad/fuse" == "gpu:3")

-- Scopes.
local groups = toy:groups(1)
assert(#groups.image == 4 and #groups.text == 4 and #groups.fuse == 1 and #groups.head == 2)
assert(#toy:groups().text == 4 and toy:groups(2)["text/ffn"]:at(1).name == "text/ffn")
assert(tostring(groups.head) == "Set of 2 nodes, cost 130 us")
t.raises("it is no depth", toy.groups, toy, -1)

-- Nodes by ranges, as the log has them.
assert(#toy:nodes "0-11" == 12 and #toy:nodes "0,3-4,11" == 4 and #toy:nodes "" == 0)
assert(toy:nodes "3":at(1).index == 3)
for _, text in ipairs { "x", "3-", "4-3", "12", "1,1", "1;2", "-1", "99999999999999999999" } do
  t.raises("bad argument", toy.nodes, toy, text)
end

-- Why a device does what it does.
local heft = sim.run(toy, plan.heft(toy))
local why = heft:why("gpu:1", 0)
assert(why[1].kind == "idle" and why[1].device == "gpu:1" and #why >= 2 and why[2].kind == "transfer")
assert(tostring(why):find "^gpu:1 waits" and tostring(why[1]) == why[1].text)
assert(math.abs(why[1].finish - why[2].finish) < 1e-15 and why[#why].node == "input")
t.raises("there is no device 'gpu:9'", heft.why, heft, "gpu:9", 0)
t.raises("number expected", heft.why, heft, "gpu:0")
t.raises("the run starts at 0", heft.why, heft, "gpu:0", -1)
local never = sim.run(toy, plan.heft(toy), "p100x8")
assert(#never:why("gpu:0", 0) == 1 and never:why("gpu:0", 0)[1].kind == "never" and never:why() ~= "")

-- Which moves a difference comes from.
local d = compare(single, heft)
local shares = assert(d:explain(2))
assert(#shares == 2 and math.abs(shares.delta - d.delta) < 1e-15 and shares[1].nodes >= 1)
assert(tostring(shares):find "more" and #d:explain(0) == 0)
t.raises("it is negative", d.explain, d, -1)
t.raises("one run alone", function() compare(heft):explain() end)
assert(d:show() == d:moved() and sel == d:moved() and g == toy)
