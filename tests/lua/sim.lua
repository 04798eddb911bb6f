local t = dofile "support.lua"
local folder = arg[2]
local g = assert(graph.load(arg[1]))

local p = plan.single(g, "gpu:0")
local r = sim.run(g, p)
assert(math.abs(r.makespan - 1810e-6) < 1e-12 and r.valid and r:why() == "" and r.name == "single")
assert(math.abs(r.ratio - r.makespan / r.bound) < 1e-9 and r.graph == g)
assert(r.transferred == 0 and #r:transfers() == 0)
assert(math.abs(r:idle "gpu:0") < 1e-12 and math.abs(r:idle "gpu:1" - r.makespan) < 1e-12)
assert(r:utilisation()["gpu:0"] == 1 and r:utilisation()["gpu:1"] == 0)
local bounds = r:bounds()
assert(bounds.bound == math.max(bounds.critical_path, bounds.work, bounds.memory))
assert(tostring(r):find "^Run single: 1.81 ms, 1.69x bound, valid$")
assert(r:report():find "single")
t.raises("there is no device 'gpu:8'", r.idle, r, "gpu:8")

-- Memory is a staircase that reaches its peak.
local memory = r:memory "gpu:0"
local peak = 0
for _, point in ipairs(memory) do peak = math.max(peak, point.bytes) end
assert(#memory > 0 and peak == memory.peak and memory.capacity > peak)

-- Two devices send.
local h = sim.run(plan.heft(g), { name = "mine" })
assert(h.name == "mine" and h.transferred > 0 and #h:transfers() > 0)
local first = h:transfers()[1]
assert(first.from ~= first.to and first.bytes > 0 and first.finish > first.start)
assert(#h:critical_path() > 0 and #h:explain() >= #h:critical_path())
assert(h:critical_path() == g:critical_path(h))
local node = h:node "fuse"
assert(node.finish == node.start + node.cost and node.device == h.plan:device "fuse")
assert(node.wait >= 0 and node.slack >= 0 and #h:nodes() == 12)
t.fails("there is no node nobody", h:node "nobody")

-- Another cluster, and one without contention.
assert(sim.run(g, plan.heft(g, "p100x2"), "p100x2").valid)
assert(sim.run(g, plan.heft(g), { contention_free = true }).makespan <= h.makespan)
assert(not sim.run(g, plan.heft(g), "p100x8").valid)

-- What was proven holds for the times, the cluster and the rules that it was proven of.
local proven = plan.exact(g, { evals = 20000 })
assert(sim.run(proven).proof ~= "" and sim.run(proven, "p100x4").proof ~= "")
assert(sim.run(g, proven, { contention_free = true }).proof == "")

assert(g.cluster_spec == "")
t.raises("opts.clustre", sim.run, g, p, { clustre = "p100x2" })
t.raises("Plan expected", sim.run, g, g)

-- A file's own devices are where its graph runs, open or not, unless somebody chooses others.
assert(app.write(folder .. "/two.csv", "task,c_task,dir_succ,p0,p1,pc00,pc01,pc10,pc11,mi,m0,m1\n"
  .. "0,2,1,1,9,0,5,5,0,6,10,20\n1,,,9,1,,,,,6,,\n"))
local two = graph.load(folder .. "/two.csv")
assert(two.cluster_spec == "devices:p0=10,p1=20")
assert(plan.heft(two).cluster.name == two.cluster_spec
  and plan.new(two).cluster.name == two.cluster_spec)
assert(plan.single(two, "p1").cluster.name == two.cluster_spec)
assert(math.abs(sim.run(plan.heft(two)).makespan - 7e-3) < 1e-12)
assert(compare.policies(two, { "heft" }).runs[1].plan.cluster.name == two.cluster_spec)
assert(plan.heft(g).cluster.name == "p100x4")
t.raises("p100x4 has devices of the kind “gpu”", plan.heft, two, "p100x4")
t.raises("choose its own cluster, devices:p0=10,p1=20", sim.run, plan.heft(two), "p100x4")

-- Too little memory is a run that says why.
local small = cluster.preset "p100x4"
for _, device in ipairs(small.devices) do device.mem = 1000 end
local full = sim.run(g, p, small)
assert(not full.valid and full:why():find "gpu:0" and tostring(full):find "not valid")

-- Traces.
assert(h:trace(folder .. "/trace.json"))
t.fails("", h:trace(folder .. "/nowhere/trace.json"))
assert(h:share(folder .. "/run.html"))
t.fails("ends in .html", h:share(folder .. "/run.svg"))

-- Films: of the run, or of several.
do
  local path = folder .. "/run.apng"
  local tiny = { width = 160, height = 160, seconds = 0.2, fps = 10 }
  assert(h:film(path, tiny) == path)
  tiny.runs = { h, h }
  view.show(h)
  assert(view.film(path, tiny) == path)
  t.fails("written as .gif, .webm or .apng", view.film "run.mp3")
  t.raises("a list of runs is needed", view.film, path, { runs = {} })
  t.fails("sides are even", view.film(path, { width = 161 }))
  assert(h:film(path, { steps = true, width = 160, height = 160 }) == path)
end

-- GO tells how it came to its plan: linked steps, of nodes that can be looked at.
local inception = assert(graph.load(app.sample "inception-v3.onnx"))
local small_net = { evals = 120,
  settings = "width=16,heads=2,sage=1,ffn=16,attention=1,segment=16" }
local found = plan.go(inception, small_net)
local went = sim.run(found)
local steps = went.decisions
assert(steps.tasks == "placement" and steps.folded == 0 and #steps > 0)
local before = steps.start
for i, step in ipairs(steps) do
  assert(step.before == before and step.after < before and step.evaluation <= 120)
  assert(step.update >= 1 and step.rows > 1 and #step.changes > 0)
  for _, change in ipairs(step.changes) do
    assert(change.task == "placement" and change.from ~= change.to and #change.nodes > 0)
    assert(change.probability > 0 and change.probability <= 1 and change.entropy >= 0)
    assert(change.row >= 1 and change.row <= step.rows)
    -- What the last step changed is where it put it.
    if i == #steps then
      for node in change.nodes:each() do
        assert(node.device == change.to and node.entropy == change.entropy)
      end
    end
  end
  before = step.after
end
assert(math.abs(before - went.makespan) < 1e-12)

-- All probabilities of each step sum to 1, whether the row changed or not, and cards show them.
for _, step in ipairs(steps) do
  assert(#step.probabilities.placement == step.rows)
  for _, row in ipairs(step.probabilities.placement) do
    local sum = 0
    for _, p in pairs(row) do sum = sum + p end
    assert(math.abs(sum - 1) < 1e-12)
  end
  for _, change in ipairs(step.changes) do
    assert(math.abs(change.probabilities[change.to] - change.probability) < 3e-5)
    assert(step.probabilities.placement[change.row][change.to] == change.probabilities[change.to])
  end
end
local moved = steps[1].changes[1]
local card = went:card(moved.nodes:at(1), 1)[1]
assert(card.task == "placement" and card.step == 1 and card.row == moved.row)
assert(card.rows == steps[1].rows and #card == 4 and card.entropy > 0)
for _, choice in ipairs(card) do
  assert(choice.chosen == (choice.name == moved.to))
  assert(choice.probability == moved.probabilities[choice.name])
end
assert(card.text:find("placement in step 1: " .. moved.to, 1, true))
-- The network's last layer looked at other rows; what it looked at most stands first.
assert(#card.attended > 0 and #card.attended <= 4)
for i, row in ipairs(card.attended) do
  assert(row.row >= 1 and row.row <= card.rows and row.row ~= card.row and row.nodes > 0)
  assert(inception:node(row.node) and row.share > 0 and row.share < 1)
  assert(i == 1 or row.share <= card.attended[i - 1].share)
end
assert(card.text:find("attends to row " .. card.attended[1].row, 1, true))
-- HEFT knows when each device would finish, and takes the first.
local built = sim.run(plan.heft(inception)):card(inception:nodes():at(1))[1]
assert(built.order and built.key > 0 and not built.sampled)
for _, choice in ipairs(built) do
  assert(choice.probability == nil and choice.candidate > 0)
  assert(choice.chosen == choice.likeliest)
end
assert(#sim.run(plan.anneal(inception, { evals = 40 })):card(inception:nodes():at(1)) == 0)
t.raises("has no such step", went.card, went, moved.nodes:at(1), 1000)
assert(#went:where "entropy >= 0" == inception.n_nodes)
-- A copy is the same plan; one that was changed, or is simulated elsewhere, is another's.
local copy = went.plan:copy()
assert(#sim.run(copy).decisions == #steps)
copy:move(inception:nodes(), "gpu:0")
assert(sim.run(copy).decisions == nil and #sim.run(found).decisions == #steps)
assert(sim.run(inception, found, "v100x4").decisions == nil)
assert(h:node "fuse".entropy == nil and #h:where "entropy >= 0" == 0)

-- Every step is a run of its own, as long as it was then.
local by_hand = h.plan:copy():move(g:nodes(), "gpu:0")
local hand_run = sim.run(by_hand)
assert(hand_run.decisions == nil and #hand_run:steps() == 0 and #hand_run:least_sure(5) == 0)
t.raises("has recorded no decisions", hand_run.step, hand_run, 1)
local told = went:steps()
assert(#told == #steps + (steps.start == steps.start and 1 or 0))
for _, step in ipairs(told) do
  local there = went:step(step.step)
  assert(math.abs(there.makespan - step.makespan) < 1e-12 and #(there.decisions) == step.step)
  assert(step.text:find("^step " .. step.step .. " of " .. #steps .. ": "))
end
assert(#told[#told].nodes > 0
  and told[#told].nodes:at(1).device == went:step(#steps).plan:device(told[#told].nodes:at(1).name))
t.raises("and no step 1000", went.step, went, 1000)
local unsure = went:least_sure(7)
assert(#unsure == 7 and unsure:at(1).entropy >= unsure:at(7).entropy)
assert(unsure:at(7).entropy >= went:nodes():top(8, "entropy"):at(8).entropy)

-- A view that shows a step draws it, also without a window: the picture of its run, with the
-- changed nodes marked.
view.show(went)
view.step(#steps)
assert(app.log()[#app.log()] == "view.step(" .. #steps .. ")" and _G.r == went)
assert(view.save(folder .. "/step.svg")
  and view.save(folder .. "/step-timeline.svg", { view = "timeline" }))
assert(view.save(folder .. "/plain.svg", { run = went:step(#steps) }))
local marked, plain = app.read(folder .. "/step.svg"), app.read(folder .. "/plain.svg")
assert(marked ~= plain and #marked > #plain)
t.raises("and no step 1000", view.step, 1000)
view.step()
assert(app.log()[#app.log()] == "view.step()")
view.step(#steps)
view.show(went:step(#steps)) -- kept as a plan of its own
assert(_G.r ~= went and app.undo() and _G.r == went)
view.show(hand_run)
t.raises("has recorded no decisions", view.step, 1)

-- Other policies leave choices or plans.
local heft = sim.run(plan.heft(inception, "p100x4"))
local choices = heft.decisions
assert(choices.kind == "choices" and choices.key == "upward_rank" and choices.candidate == "finish")
assert(#choices == inception.n_nodes and choices[#choices + 1] == nil and choices.reason == nil)
local last = 1 / 0
for i, c in ipairs(choices) do
  assert(c.order == i and #c.nodes == 1 and c.device == heft.plan:device(c.node.name))
  if not c.note then
    assert(c.key <= last and math.abs(c.candidates[c.device] - c.finish) < 1e-12)
    last = c.key
    for device, finish in pairs(c.candidates) do assert(finish >= c.finish or c.why[device]) end
  end
end
assert(tostring(choices):find "choices" and #heft:steps() == #choices)
assert(#heft:step(3).decisions == 3 and heft:step(3).makespan == heft.makespan)
-- At a step the picture of the timeline has what is placed so far, at the policy's own times.
view.show(heft)
view.step(3)
assert(view.save(folder .. "/partial.svg", { view = "timeline" }))
view.step()
assert(view.save(folder .. "/whole.svg", { view = "timeline" }))
assert(#app.read(folder .. "/partial.svg") * 2 < #app.read(folder .. "/whole.svg"))
t.raises("has no field 'foo'", function() return choices.foo end)
local searched = sim.run(plan.anneal(inception, { cluster = "p100x4", evals = 300 }))
local plans = searched.decisions
assert(plans.kind == "plans" and #plans > 1 and #plans.rows > 100 and plans.folded == 0)
assert(plans[1].before == nil and plans[2].before == plans[1].after and #plans[2].nodes > 0)
assert(math.abs(plans[#plans].after - searched.makespan) < 1e-12)
assert(math.abs(searched:step(1).makespan - plans[1].after) < 1e-12)
for _, row in ipairs(plans.rows) do assert(type(row.kind) == "string" and row.evaluation <= 300) end
local cut = sim.run(plan.metis(inception, "p100x4")).decisions
assert(cut.kind == "none" and #cut == 0 and cut.reason:find "METIS")
assert(cut.rows[1].vertices == inception.n_nodes)

-- A search that goes on from a step begins with its plan.
local fork = searched:fork(2, "anneal", { evals = 40 })
assert(fork.name == "anneal, from step 2 of " .. searched.name)
assert(fork:step(1).makespan == searched:step(2).makespan)
assert(fork.makespan <= searched:step(2).makespan)
t.raises("go on from a plan are: anneal", searched.fork, searched, 2, "heft")
t.raises("no such step", searched.fork, searched, 100000, "anneal")

-- Who does what at a time: every node once.
local halfway = r:at(r.makespan / 2)
assert(halfway.time == r.makespan / 2 and #halfway.running == 1 and halfway.counts.running == 1)
assert(#(halfway.waiting + halfway.ready + halfway.running + halfway.done) == 12)
local busy = halfway.running:at(1)
assert(busy.start <= halfway.time and halfway.time < busy.finish)
assert(#r:at(-1).waiting == 12 and #r:at "1s".done == 12)
assert(r:at "0us".text:find "^at 0 µs: 1 running, ")
t.raises("", r.at, r, "soon")

-- Devices at that time: what is first in the queue starts next, and memory is the staircase's.
for _, at in ipairs(halfway.devices) do
  assert(at.counts.ready == #at.ready and at.counts.running == #at.running)
  assert(at.text:find(at.device))
  local level
  for _, step in ipairs(r:memory(at.device)) do
    if step.time <= halfway.time then level = step.bytes end
  end
  assert(at.memory == level and at.capacity == r:memory(at.device).capacity)
end
assert(halfway.devices[1].device == "gpu:0" and #halfway.devices == 4)
local queued = searched:at(searched.makespan / 3, { first = 1 })
for _, at in ipairs(queued.devices) do
  assert(#at.ready <= 1 and #at.waiting <= 1)
  for _, op in ipairs(at.ready) do assert(op.start > queued.time and op.ready <= queued.time) end
end
t.raises("opts.last", r.at, r, 0, { last = 3 })

-- Steps through time: every start and every finish once, forwards and backwards.
local function step_through(find, device)
  local n, time, moments = { start = 0, finish = 0 }, nil, {}
  repeat
    local moment = r[find](r, time, device)
    if moment then
      time = moment.time
      table.insert(moments, moment)
      for _, e in ipairs(moment.events) do n[e.what] = n[e.what] + 1 end
    end
  until not moment
  return n, moments
end
local n, later = step_through "next_event"
assert(n.start == 12 + #r:transfers() and n.finish == n.start)
assert(later[1].time == 0 and later[#later].time == r.makespan and later[1].text:find "starts on")
local back, earlier = step_through "previous_event"
assert(back.start == n.start and #earlier == #later and earlier[1].time == r.makespan)
local there = step_through("next_event", "gpu:0")
assert(there.start == there.finish and there.start <= n.start)
t.raises("gpu:9", r.next_event, r, 0, "gpu:9")

-- Fused nodes have a cluster, in queries and in the hierarchy of the run on show.
local fused = sim.run(inception, plan.single(inception):fuse_default())
local in_kernels = fused:where "cluster >= 0"
assert(#in_kernels > 1 and inception:nodes():at(1).cluster == nil)
local number = in_kernels:at(1).cluster
assert(math.type(number) == "integer" and #fused:where { cluster = number } > 1)
view.open(inception)
view.show(fused)
local kernels = inception:hierarchy "cluster"
assert(#kernels > 1 and kernels[2].nodes:at(1).cluster == kernels[2].nodes:at(2).cluster)

-- What devices did in a span: all of it is the whole run, and half of it with the other half again.
do
  local g = graph.load(arg[1])
  local r = sim.run(g, plan.heft(g))
  -- Shares of every device sum to the span.
  for _, span in ipairs{ { nil, nil }, { r.makespan / 4, r.makespan / 2 } } do
    local shares = r:shares(span[1], span[2])
    for _, d in ipairs(shares.devices) do
      local all = d.computing + d.data + d.channel + d.priority + d.ends
      assert(math.abs(all - (shares.to - shares.from)) < 1e-12)
    end
    assert(shares.types[1].busy >= shares.types[#shares.types].busy)
    assert(#shares.types[1].set >= shares.types[1].count and tostring(shares):find "computing %%")
  end
  t.raises("ends before it begins", r.shares, r, 1, 0)
  local causes, sum = r:bottlenecks(), 0
  for _, cause in ipairs(causes) do
    sum = sum + cause.time
    assert(#cause.set > 0 and tostring(cause):find "%% " and cause.share <= 1)
  end
  assert(math.abs(sum - r.makespan) < 1e-9 and tostring(causes):find "computing")
  assert(#r:bottlenecks(1) <= 2 and not pcall(r.bottlenecks, r, 0))
  local whole = r:totals()
  assert(math.abs(whole.to - r.makespan) < 1e-12 and whole.all.ops == #g:nodes())
  assert(tostring(whole):find "longest:" and #whole.top > 0
    and whole.top[1].busy >= whole.top[#whole.top].busy)
  local middle = r.makespan / 2
  local function part(from, to)
    return r:totals(("%.17gs"):format(from), ("%.17gs"):format(to)).all.busy
  end
  assert(math.abs(part(0, middle) + part(middle, r.makespan) - whole.all.busy) < 1e-9)
  local one = r:totals("0us", ("%.17gs"):format(middle), { "gpu:0" })
  assert(#one.devices == 1 and one.devices[1].device == "gpu:0"
    and one.all.busy == one.devices[1].busy)
  assert(#r:totals("0us", "1us", "gpu:1").devices == 1)
  assert(not pcall(r.totals, r, "2us", "1us"))
  assert(not pcall(r.totals, r, "0us", "1us", { "tpu:9" }))
end
