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

-- The plan in view changes, also for nodes that were looked up before.
local fuse = g:nodes { "fuse" }
fuse:move "gpu:1"
local last = fuse:prio(7)
assert(last == r and r.plan:device "fuse" == "gpu:1" and r.plan:prio "fuse" == 7)
assert(r.plan:device "image/embed" == "gpu:2")
assert(fuse:prio(-3).plan:prio "fuse" == -3)

t.raises("there is no device 'gpu:9'; there are: gpu:0 gpu:1 gpu:2 gpu:3", fuse.move, fuse, "gpu:9")
t.raises('a number, "up" or "down" expected', fuse.prio, fuse, "high")
t.raises("it is too large", fuse.prio, fuse, 2 ^ 40 // 1 | 0)

-- One run by hand stays one, however often it is changed; what it was is the way back.
local lowest = r
local before = r.plan:prio "fuse"
assert(app.undo() == "give fuse priority -3" and r == last and app.undo() == "give fuse priority 7")
assert(app.redo() == "give fuse priority 7" and r == last)
assert(app.redo() and r == lowest and r.plan:prio "fuse" == before and app.redo() == nil)

-- Past the next op of the device, and back.
fuse:move "gpu:0"
assert(fuse:prio "up".plan:prio "fuse" > before)
assert(app.log()[#app.log()] == 'g:nodes{"fuse"}:prio "up"')
local alone = g:nodes { "fuse" }:move "gpu:3"
assert(fuse:prio "up" == alone and fuse:prio "down" == alone) -- nobody to pass
assert(app.undo() == "move fuse to gpu:3")

-- Fusing, by the rules.
local towers = g:nodes { "image/conv1", "image/conv2" }
towers:move "gpu:1"
t.fails("at most one heavy op", towers:fuse())
local two = g:nodes { "image/conv2", "image/pool" }
two:move "gpu:1"
local fused = assert(two:fuse())
assert(r == fused and app.log()[#app.log()] == 'g:nodes{"image/conv2", "image/pool"}:fuse()')
t.fails("a kernel is fused of two nodes", fuse:fuse())
t.fails("none of these nodes is fused", fuse:unfuse())
local apart = assert(g:nodes { "image/pool" }:unfuse())
assert(app.undo() == "unfuse image/pool" and r == fused and app.redo() and r == apart)

-- Pins: what is pinned stays, and says so.
assert(g:nodes { "fuse" }:pin() and #app.pinned() == 1 and app.pinned():at(1).name == "fuse")
t.fails("“fuse” stays where it is", g:nodes { "fuse" }:move "gpu:2")
local place = r.plan:device "fuse"
g:nodes { "fuse", "image/pool" }:move "gpu:2"
assert(r.plan:device "fuse" == place and r.plan:device "image/pool" == "gpu:2")
assert(app.undo() and app.undo() == "pin fuse" and #app.pinned() == 0 and app.redo())
g:nodes { "fuse" }:unpin()
assert(app.log()[#app.log()] == 'g:nodes{"fuse"}:unpin()' and #app.pinned() == 0)

-- Numbers of the cluster: every plan is simulated again, and undo brings the old ones back.
local old, slow = r, app.link("gpu:0", "gpu:1", { bandwidth = "1GB", latency = 2e-5 })
assert(math.abs(slow:link("gpu:1", "gpu:0").bandwidth - 1e9) < 1 and r ~= old
  and r.name == old.name)
assert(app.undo() == "give the link gpu:0–gpu:1 20 µs of latency" and app.undo() and r == old)
assert(app.device("gpu:1", { flops = 1e12, memory = math.huge }).devices[2].memory == math.huge)
assert(app.log()[#app.log()] == 'app.device("gpu:1", { memory = math.huge })')
assert(app.undo() == "give gpu:1 unlimited memory" and app.undo() == "give gpu:1 1 TFLOP/s")
t.raises("there is no device 'gpu:9'", app.device, "gpu:9", { flops = 1 })
t.raises("there is no device or switch “gpu:9”", app.link, "gpu:0", "gpu:9", {})
t.raises("there is no link from gpu:0 to gpu:0", app.link, "gpu:0", "gpu:0", { latency = 0 })
t.raises("invalid option 'sped'", app.device, "gpu:1", { sped = 1 })
t.raises("", app.device, "gpu:1", { flops = -1 })
assert(r == old)

-- What was alike changes together, in one line that does it again.
local peak = app.device("gpu:1", {}).devices[2].flops
local _, note = app.device("gpu:1", { speed = 2 })
assert(note == "12 of 12 ops have times that were given for gpu, which its speed does not "
  .. "change", note)
assert(app.cluster().devices[2].flops == 2 * peak)
assert(select("#", app.device("gpu:1", { memory = "8GB" })) == 1 and app.undo())
assert(app.device("gpu:0", { speed = 0.5, alike = true }).devices[2].flops == peak / 2)
assert(app.log()[#app.log()] == 'app.device("gpu:0", { speed = 0.5, alike = true })')
local wide = app.link("gpu:0", "gpu:1", { bandwidth = "1GB", alike = true })
assert(math.abs(wide:link("gpu:3", "gpu:2").bandwidth - 1e9) < 1)
assert(app.undo() and app.undo() and app.undo() and r == old)

-- A large set is said by its groups, and the line selects the same again.
local big = graph.generate "gnmt:layers=1"
view.open(big)
local half = big:inside { "encoder", "decoder" }
assert(#half > 1000 and #big:inside "encoder" < #half)
view.select(half)
assert(app.log()[#app.log()] == 'view.select(g:inside{"encoder", "decoder"})',
  app.log()[#app.log()])
view.select(big:nodes() - half - big:nodes "3-40,77")
local line = app.log()[#app.log()]
assert(#line < 300, line)
local before = sel
view.select()
assert(load(line))()
assert(sel == before and #sel == #before)
t.raises("there is no group 'nobody' by scope", big.inside, big, "nobody")
view.open(toy)
view.show(old)

-- Members of a colocation group go together.
local training = assert(toy:training())
view.show(sim.run(training, plan.single(training, "gpu:0")))
local together = g:nodes { "fuse" }:move "gpu:3"
assert(together.valid and together.plan:device "fuse" == "gpu:3")
assert(together.plan:device "grad/fuse" == "gpu:3")
g:nodes { "grad/fuse" }:pin()
t.fails("or held by a node that is", g:nodes { "fuse" }:move "gpu:1")
g:nodes():unpin()

-- Scopes.
local groups = toy:groups(1)
assert(#groups.image == 4 and #groups.text == 4 and #groups.fuse == 1 and #groups.head == 2)
assert(#toy:groups().text == 4 and toy:groups(2)["text/ffn"]:at(1).name == "text/ffn")
assert(tostring(groups.head) == "Set of 2 nodes, cost 130 µs")
t.raises("a depth of at least 0 is needed", toy.groups, toy, -1)

-- Nodes by ranges, as the log has them.
assert(#toy:nodes "0-11" == 12 and #toy:nodes "0,3-4,11" == 4 and #toy:nodes "" == 0)
assert(toy:nodes "3":at(1).index == 3)
for _, text in ipairs { "x", "3-", "4-3", "12", "1,1", "1;2", "-1", "99999999999999999999" } do
  t.raises("bad argument", toy.nodes, toy, text)
end
t.raises("g:where finds nodes by a query", toy.nodes, toy, "op = Conv")

-- Why a device does what it does.
local heft = sim.run(toy, plan.heft(toy))
local why = heft:why("gpu:1", 0)
assert(why[1].kind == "idle" and why[1].device == "gpu:1" and #why >= 2
  and why[2].kind == "transfer")
assert(tostring(why):find "^gpu:1 waits" and tostring(why[1]) == why[1].text)
assert(math.abs(why[1].finish - why[2].finish) < 1e-15 and why[#why].node == "input")
t.raises("there is no device 'gpu:9'", heft.why, heft, "gpu:9", 0)
t.raises("number expected", heft.why, heft, "gpu:0")
t.raises("the run starts at 0", heft.why, heft, "gpu:0", -1)
local never = sim.run(toy, plan.heft(toy), "p100x8")
assert(#never:why("gpu:0", 0) == 1 and never:why("gpu:0", 0)[1].kind == "never"
  and never:why() ~= "")

-- Which moves a difference comes from.
local d = compare(single, heft)
local bars = assert(d:why())
assert(math.abs(bars[#bars].to - bars[1].to - d.delta) < 1e-15 and #bars[2].set >= 1)
t.raises("one run alone", function() compare(heft):why() end)
assert(d:show() == d:moved() and sel == d:moved() and g == toy)
