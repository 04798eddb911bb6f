local t = dofile "support.lua"
local folder = arg[2]
local session_g = assert(graph.load(arg[1]))

-- The globals follow the session.
assert(g == nil and r == nil and sel == nil)
t.raises("there is no graph to draw", view.save, folder .. "/none.svg")
t.raises("no graph is open", view.select)
view.open(session_g)
assert(g == session_g and r == nil and p == nil and #sel == 0)
view.select(g:where { op = "Conv" })
assert(#sel == 2)
view.select "fuse"
assert(sel:at(1).name == "fuse")
view.select()
assert(#sel == 0)
t.raises("there is no node nobody", view.select, "nobody")

local run = sim.run(plan.heft(g))
view.show(run)
assert(r == run and p:device "fuse" == run.plan:device "fuse" and g:node "fuse".device == "gpu:0")
view.timeline(run)
view.zoom "fit"
view.zoom "selection"
t.raises("invalid option", view.zoom, "moon")
view.color "priority"
t.raises("there is no colouring “mood”; there are: device, op, cost, ", view.color, "mood")
t.raises("there is no colouring “name”", view.color, "name")
view.color "cost"
view.color "priority"
assert(app.log()[#app.log()] == 'view.color "priority"')
view.color "slack"
assert(app.log()[#app.log()] == 'view.color "slack"')

-- By a function of a node: a number, or nil where it has none.
t.raises("no script has found numbers for this graph", view.color, "script")
local asked = {}
view.color(function(n)
  asked[#asked + 1] = n.name
  return n.op == "Conv" and 3 or nil
end, { name = "is Conv", palette = "viridis" })
assert(#asked == #g:nodes() and asked[1] == g:nodes():at(1).name)
assert(app.log()[#app.log()] == '-- view.color: "is Conv" are numbers that a script found')
view.color "cost"
view.color "script"
assert(app.log()[#app.log()]:find "^%-%- view.color")
assert(view.save(folder .. "/script.svg")
  and view.save(folder .. "/script.png", { color = "script", view = "timeline" }))
view.color(function(n) return n.start end, "viridis")
t.raises("a number or nil expected for the node", view.color, function() return "much" end)
t.raises("out of patience", view.color, function() error "out of patience" end)
view.color(function(n) return n.finish - n.ready end, { name = "time in all", unit = "s" })
view.color(function(n) return n.bytes end, { unit = "B" })
t.raises("there is no unit 'km'", view.color, function() return 1 end, { unit = "km" })
t.raises("there is no palette 'jet'", view.color, "cost", "jet")
t.raises("opts.width", view.color, "cost", { width = 3 })

-- How it is looked at; every change is a line that makes it again.
local function said(line) assert(app.log()[#app.log()] == line, app.log()[#app.log()]) end
view.mark("1.5ms", "warm-up") said 'view.mark("1500us", "warm-up")'
view.mark "0.5ms" said 'view.mark("500us", "A")'
assert(#view.marks() == 2 and view.marks()[1].name == "A" and view.marks()[2].time == 1.5e-3)
view.time "warm-up" said 'view.time "1500us"'
view.time() said "view.time()"
view.mark("1.5ms", "loop") said 'view.mark("1500us", "loop")'
view.unmark "A" said 'view.unmark "500us"'
t.raises("is not a valid time", view.unmark, "nobody")
t.raises("a name is one line", view.mark, 1, "a\nb")
t.raises("starts at 0", view.mark, -1)
view.unmark() said "view.unmark()"

-- Scenes: what is shown, with a caption.
assert(scene.next() == false and scene.previous() == false and #scene.list() == 0)
t.raises("there are no scenes", scene.go, 1)
view.time "1.5ms"
assert(scene.add{ text = "at 1.5 ms" } == 1) said 'scene.add{ at = 1, text = "at 1.5 ms" }'
view.time()
assert(scene.add "all" == 2 and scene.list()[2].current and scene.list()[2].time == nil)
scene.go(1) said "scene.go(1)"
assert(scene.list()[1].current and scene.list()[1].time == 1.5e-3)
assert(scene.next() == 2 and scene.next() == false)
scene.text(2, "everything") said 'scene.text(2, "everything")'
scene.move(2, 1) said "scene.move(2, 1)"
assert(scene.list()[1].text == "everything")
scene.update(2) said "scene.update(2)"
scene.remove(1)
assert(#scene.list() == 1 and app.undo() == "remove scene 1" and #scene.list() == 2)
t.raises("there is no scene 3", scene.text, 3, "")
t.raises("the next scene is 3", scene.add, { at = 9 })
scene.remove(2) scene.remove(1)
assert(#view.marks() == 0)
view.group "layer" said 'view.group "layer"'
view.group "parameter" said 'view.group "parameter"'
view.group "use" said 'view.group "use"'
view.group "layer"
view.expand "decoder" said 'view.expand "decoder"'
view.expanded { "b", "a" } said 'view.expanded{"a", "b"}'
assert(#view.expanded() == 2 and view.expanded()[1] == "a")
view.collapse "a" said 'view.collapse "a"'
view.layout "lanes" said 'view.layout "lanes"'
view.time "1.5ms" said 'view.time "1500us"'
view.time() said "view.time()"
assert(view.event() and app.log()[#app.log()] == 'view.time "0us"')
assert(not view.event(-1) and view.event(2) and view.event(-1, run:nodes():at(1).device))
t.raises("up to 1000", view.event, 0)
view.time()
t.raises("there is no grouping 'mood'; there are: auto none scope layer step parameter use cluster",
  view.group, "mood")
t.raises("there is no layout 'mood'; there are: auto layered wrapped lanes", view.layout, "mood")
t.raises("not the name of a group", view.expanded, { 3 })
t.raises("the run starts at 0", view.time, -1)
view.hide "fuse" said 'view.hide(g:nodes{"fuse"})'
assert(g:where { op = "Conv" }:hide() and #g:where { op = "Conv" } == 2)
said(app.log()[#app.log()])
assert(app.log()[#app.log()]:find '"fuse"' and app.log()[#app.log()]:find "^view%.hide%(g:nodes")
g:nodes { "fuse" }:show()
assert(not app.log()[#app.log() - 1]:find '"fuse"'
  and app.log()[#app.log() - 1]:find "^view%.hide%(g:nodes")
said 'view.select(g:nodes{"fuse"})'
view.hide() said "view.hide()"
view.group "auto"
view.layout "auto"
view.color "priority"
t.raises("its graph is not open", view.hide, graph.load(arg[1]):nodes())

-- A list of runs is one change, and the best is shown.
local single, heft = sim.run(plan.single(g, "gpu:1")), sim.run(plan.heft(g))
view.show { single, heft }
assert(r == heft and app.undo() == "add 2 plans" and r == run and app.redo() and r == heft)
t.raises("number 2 of the list is not a run", view.show, { single, 3 })
t.raises("there is no run in the list", view.show, {})
t.raises("a run of another graph", view.show, { single, sim.run(plan.single(graph.load(arg[1]))) })
view.show(run)

-- Bookmarks.
t.raises("number", view.snapshot, "one")
t.raises("bookmarks have numbers 1 to 9", view.snapshot, 10)
t.raises("there is no such bookmark", view.recall, 2)
view.snapshot(2) said "view.snapshot(2)"
view.color "device"
view.recall(2) said 'view.color "priority"'

-- A run of another graph opens that graph.
local other = graph.load(arg[1])
view.show(sim.run(plan.single(other)))
assert(g == other and g == session_g)

-- Lanes of the timeline.
view.lanes{ pinned = { "gpu:1" }, open = { "memory", "gpu:0" } }
local lanes = view.lanes()
assert(lanes.pinned[1] == "gpu:1" and #lanes.open == 2 and #lanes.order == 0 and not lanes.strips)
view.lanes{ strips = true }
assert(view.lanes().strips and #view.lanes().open == 0)
t.raises("not the name of a lane", view.lanes, { open = { 3 } })
t.raises("hidden", view.lanes, { hidden = { "gpu:0" } })
t.raises("table of lists of lanes", view.lanes, { order = "gpu:0" })
view.lanes{}
assert(#view.lanes().pinned == 0)

-- Pictures.
for _, ending in ipairs { "svg", "png", "pdf" } do
  local path = folder .. "/graph." .. ending
  assert(view.save(path, { theme = "dark", critical = true }) == path)
  assert(view.save(folder .. "/timeline." .. ending, { view = "timeline", run = run }))
end
for _, color in ipairs { "slack", "bytes", "op", "prio" } do
  assert(view.save(folder .. "/" .. color .. ".svg", { color = color, run = run }))
  assert(view.save(folder .. "/" .. color .. ".png",
    { color = color, run = run, view = "timeline" }))
end
t.raises("there is no colouring “mood”", view.save, folder .. "/x.svg", { color = "mood" })
t.raises("entropy is unknown for all nodes", view.save, folder .. "/x.svg",
  { color = "entropy", run = run })
t.raises("no script has found numbers", view.save, folder .. "/x.svg",
  { color = "script", graph = graph.load(arg[1]) })
t.raises("start requires a plan", view.save, folder .. "/x.svg",
  { color = "start", graph = graph.load(arg[1]) })
assert(view.save(folder .. "/other.svg",
  { graph = session_g, color = "device", width = 400, height = 300 }))
t.fails("", view.save(folder .. "/graph.gif"))
t.raises("opts.theme: there is no 'pink'; there are: light, dark", view.save, folder .. "/x.svg",
  { theme = "pink" })
t.raises("a timeline needs a run", view.save, folder .. "/x.svg",
  { view = "timeline", graph = session_g })
t.raises("opts.run: it is a run of another graph", view.save, folder .. "/x.svg",
  { run = run, graph = other })

-- --- derived graphs -----------------------------------------------------------------------------

do
  local model = assert(graph.generate("gnmt:layers=1,granularity=coarse"))
  view.open(model)
  local base = sim.run(assert(plan.single(model)))
  view.show(base)
  t.raises("the run is of the open graph", view.derive, base)
  assert(view.back() == false)

  -- A line of the log makes the same again.
  local function redo_last(first)
    local line = app.log()[#app.log()]
    assert(line:find(first, 1, true) == 1, line)
    local makespan = r.makespan
    assert(app.undo() and g == model and r == base)
    assert(load(line))()
    assert(r.makespan == makespan and g ~= model)
  end
  view.derive(assert(g:pipeline{ schedule = "1f1b", micro_batches = 2, ranks = 2 }))
  assert(g ~= model and r.plan.policy == "1f1b")
  redo_last 'view.derive(assert(graph.generate("gnmt:layers=1,granularity=coarse"):pipeline{'
  assert(app.undo() == "make a pipeline" and r == base)
  assert(app.redo() == "make a pipeline" and view.back() == true and g == model)
  assert(app.log()[#app.log()] == "view.back()")

  view.derive(assert(g:replicas{ n = 2, slowdown = 2, bucket = 1e6 }))
  redo_last 'view.derive(assert(graph.generate("gnmt:layers=1,granularity=coarse"):replicas{ n = 2'
  assert(app.undo() == "copy the model")
  view.derive(assert(graph.collective("broadcast", "1MB", { ranks = 3 })))
  redo_last 'view.derive(assert(graph.collective("broadcast", 1000000, { ranks = 3 })))'
  assert(view.back() and r == base)

  -- A run of the model is shown on the model as it was left.
  view.derive(assert(g:pipeline{ micro_batches = 2 }))
  local piped = r
  view.show(base)
  assert(g == model and r == base and app.log()[#app.log()] == "view.back()")
  view.show(piped)
  assert(r == piped and app.log()[#app.log()] == "app.redo()")
  view.show(sim.run(assert(plan.heft(model))))
  assert(g == model and r ~= base and app.undo() and r == base)

  -- No line can name a plan or a cluster of its own.
  view.derive(assert(g:pipeline{ micro_batches = 2, cluster = "p100x2" }))
  assert(app.log()[#app.log()] == "-- view.derive: a run that no line here can make")
  assert(view.back())

  -- A derived graph can be opened alone, and its line opens it again.
  local gpt = assert(graph.generate "gpt:layers=2")
  for _, derived in ipairs {
    assert(model:pipeline{ micro_batches = 2 }), assert(model:replicas{ n = 2 }),
    assert(gpt:parallel{ pp = 2 }), (graph.collective("broadcast", "1MB"))
  } do
    view.open(derived.graph)
    local line = app.log()[#app.log()]
    assert(line:find "^view%.open%(" and line:find "%.graph", line)
    assert(load(line))()
    assert(g == derived.graph, line)
  end
end
