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
assert(compare.policies(two, { "heft" })[1].run.plan.cluster.name == two.cluster_spec)
assert(plan.heft(g).cluster.name == "p100x4")
t.raises("p100x4 has devices of the kind “gpu”", plan.heft, two, "p100x4")
t.raises("choose its own cluster, devices:p0=10,p1=20", sim.run, plan.heft(two), "p100x4")

-- Too little memory is a run that says why.
local small = cluster.preset "p100x4"
for _, device in ipairs(small.devices) do device.memory = 1000 end
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

-- Every policy's run has one record of decisions, whose last plan is the run's.
local inception = assert(graph.load(app.sample "inception-v3.onnx"))
local small_net = { evals = 120, cluster = "p100x4",
  settings = "width=16,heads=2,sage=1,ffn=16,attention=1,segment=16" }
local function check_record(run)
  local d = run.decisions
  local stops = d:stops()
  assert(#d > 0 and d[#d + 1] == nil and d[0].number == 0 and d[0].node == nil)
  assert(stops[1] == 0 and d[stops[#stops]]:plan().makespan == run.makespan)
  for i, m in ipairs(d) do
    local n_chosen, sum = 0, 0
    assert(m.number == i and m == d[i] and #m.text > 0 and m.text:find(m.path, 1, true))
    for _, option in ipairs(m.options) do
      n_chosen = n_chosen + (option.chosen and 1 or 0)
      assert(not (option.best and option.why))
    end
    assert(n_chosen == 1 or #m.options == 0)
    for _, p in pairs(m.probabilities or {}) do sum = sum + p end
    assert(not m.probabilities or math.abs(sum - 1) < 1e-4)
  end
  for _, s in ipairs(d:spans()) do
    assert(s.first >= 1 and s.last <= #d and (not s.after or s.after > 0))
  end
  return d
end
local found = plan.go_oneshot(inception, small_net)
local went = sim.run(found)
check_record(went)
check_record(sim.run(plan.go_zeroshot(inception, "p100x4")))
local searched = sim.run(plan.anneal(inception, { cluster = "p100x4", evals = 300 }))
check_record(searched)
check_record(sim.run(plan.metis(inception, "p100x4")))

-- HEFT knows when each device would finish, and takes the first.
local heft = sim.run(plan.heft(inception, "p100x4"))
local d = check_record(heft)
assert(#d == inception.n_nodes and d.reason == nil and d.left_out.scores == 0)
assert(d.levels[1] == "moment" and #d:spans "plan" == 1)
assert(d:spans("plan")[1].key == "upward_rank_us")
local last = 1 / 0
for _, m in ipairs(d) do
  assert(#m.nodes == 1 and m.chosen == heft.plan:device(m.node.name) and m.task == "placement")
  assert(d:find(m.node) == m and d:find(m.node, m.number - 1) == nil)
  if not m.flags.carried then
    assert(m.key <= last and m.score == "finish" and m.had == nil)
    last = m.key
    for _, option in ipairs(m.options) do
      assert(option.score >= m.finish or option.why)
      assert(not option.chosen or math.abs(option.score - m.finish) < 1e-9)
    end
  end
end
assert(tostring(d):find "Decisions of heft: 313" and d[3]:plan().makespan == heft.makespan)
assert(d:save(folder .. "/heft.csv") == folder .. "/heft.csv")
assert(d:save(folder .. "/heft.json") == folder .. "/heft.json")
local lines = 0
for _ in app.read(folder .. "/heft.csv"):gmatch "\n" do lines = lines + 1 end
assert(lines == #d + 1)

-- Options have their names beside their scores.
do
  local row = app.read(folder .. "/heft.csv"):match "\n(1,[^\n]*)\n"
  local cell = row:match "([^,]*)%s*$"
  local written = json.parse(app.read(folder .. "/heft.json")).decisions[1]
  for k, option in ipairs(d[1].options) do
    assert(cell:find(option.name .. " ", 1, true), cell)
    assert(written.names[k] == option.name and (option.why or written.scores[k]))
  end
end
t.raises("has no field 'foo'; it has: numbers left_out levels reason find%(%)",
  function() return d.foo end)
t.raises("has no field '1.5'", function() return d[1.5] end)
t.raises("d:stops%(level, which%): 2 arguments expected, got 3", function()
  return d:stops("plan", "all", 1)
end)
t.raises("“foo” is not a level: write moment", d.stops, d, "foo")
t.raises("“foo” does not name stops: write all", d.stops, d, "plan", "foo")

-- A copy is the same plan; one that was changed, or is simulated elsewhere, is another's.
local copy = went.plan:copy()
assert(#sim.run(copy).decisions == #went.decisions)
copy:move(inception:nodes(), "gpu:0")
assert(sim.run(copy).decisions == nil and #sim.run(found).decisions == #went.decisions)
assert(sim.run(inception, found, "v100x4").decisions == nil)
local by_hand = h.plan:copy():move(g:nodes(), "gpu:0")
local hand_run = sim.run(by_hand)
assert(hand_run.decisions == nil and #hand_run:least_sure(5) == 0)

-- A view that shows a moment draws it, also without a window: the picture of its run, with the
-- changed nodes marked. At an unfinished one the timeline has what is placed so far.
view.show(heft)
view.moment(#d)
assert(app.log()[#app.log()] == "view.moment(313)" and _G.r == heft)
assert(view.save(folder .. "/moment.svg"))
assert(view.save(folder .. "/plain.svg", { run = heft }))
local marked, plain = app.read(folder .. "/moment.svg"), app.read(folder .. "/plain.svg")
view.lanes{ open = { "memory", "links" } }
view.moment(d[3])
assert(view.save(folder .. "/partial.svg", { view = "timeline" }))
view.moment()
assert(app.log()[#app.log()] == "view.moment()")
assert(view.save(folder .. "/whole.svg", { view = "timeline" }))
view.lanes{}
assert(view.save(folder .. "/bars.svg", { view = "timeline" }))
assert(#app.read(folder .. "/bars.svg") < #app.read(folder .. "/whole.svg"))
assert(#app.read(folder .. "/partial.svg") * 2 < #app.read(folder .. "/whole.svg"))
assert(marked ~= plain and #marked > #plain)
t.raises("and no moment 1000", view.moment, 1000)
t.raises("this moment is of", view.moment, searched.decisions[1])
view.level("plan", "all")
assert(app.log()[#app.log()] == 'view.level("plan", "all")')
t.raises("“foo” is not a level: write moment", view.level, "foo")
t.raises("“foo” does not name stops: write all", view.level, "plan", "foo")
view.level "moment"
view.show(d[3]:plan()) -- kept as a plan of its own
assert(_G.r ~= heft and app.undo() and _G.r == heft)
view.show(hand_run)
t.raises("has recorded no decisions", view.moment, 1)

-- A search that goes on from a moment begins with its plan.
local fork = heft.decisions[2]:continue("anneal", { evals = 40 })
assert(fork.name == "anneal, from decision 2 of " .. heft.name and fork.makespan <= heft.makespan)
t.raises("go on from a plan are: anneal", d[2].continue, d[2], "heft")

-- Another option at a decision: what it would have taken is what it takes.
local worst = d:review(2)
assert(tostring(worst):find "^moment%s+option%s+makespan%s+gain\nDecision %d+ of .*s\n", worst)
assert(tostring(worst[1].moment:regret()):find "^name%s+makespan%s+difference\n.* µs")
assert(#worst == 2 and worst[1].gain >= worst[2].gain and #d:review() > 2)
local forced = worst[1].moment:force(worst[1].option)
assert(forced.makespan == worst[1].makespan)
assert(forced.decisions[worst[1].moment.number].flags.forced)
assert(forced.name == heft.name .. ", " .. worst[1].option .. " at decision "
       .. worst[1].moment.number)
for i, option in ipairs(worst[1].moment:regret()) do
  assert(option.name == worst[1].moment.options[i].name)
  if option.name == worst[1].option then
    assert(math.abs(option.difference + worst[1].gain) < 1e-12)
  end
end
assert(d[5]:force(d[5].chosen, { scope = "run" }).makespan == heft.makespan)
local refused, why = pcall(d[5].force, d[5], 0)
assert(not refused and why:find "numbered from 1", why)
t.raises("scope is", d[5].force, d[5], 1, { scope = "all" })
t.raises("has no option", d[5].force, d[5], "gpu:9")
t.raises("has the options 1 to 4, and no option 9", d[5].force, d[5], 9)
t.raises("the decisions 1 to 313", d[0].force, d[0], 1)

-- The player stops at moments of which a function is true.
local stops = d:when(function(m) return m.number == 12 or m.number == 40 end)
assert(#stops == 2 and stops[1] == 12 and stops[2] == 40)
view.stop_at(stops)
view.stop_at()
t.raises("function expected", d.when, d, 1)

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
