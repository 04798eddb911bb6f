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
t.raises("there is no colouring 'mood'; there are: device, op, cost, ", view.color, "mood")
t.raises("there is no colouring 'name'", view.color, "name")
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
assert(app.log()[#app.log()] == 'view.color "script"')
view.color(function(n) return n.start end, "viridis")
t.raises("a number or nil expected for the node", view.color, function() return "much" end)
t.raises("out of patience", view.color, function() error "out of patience" end)
t.raises("there is no palette 'jet'", view.color, "cost", "jet")
t.raises("opts.width", view.color, "cost", { width = 3 })

-- A run of another graph opens that graph.
local other = graph.load(arg[1])
view.show(sim.run(plan.single(other)))
assert(g == other and g ~= session_g)

-- Pictures.
for _, ending in ipairs { "svg", "png", "pdf" } do
  local path = folder .. "/graph." .. ending
  assert(view.save(path, { theme = "dark", critical = true }) == path)
  assert(view.save(folder .. "/timeline." .. ending, { view = "timeline", run = run }))
end
for _, color in ipairs { "slack", "bytes", "op", "prio", "script" } do
  assert(view.save(folder .. "/" .. color .. ".svg", { color = color, run = run }))
  assert(view.save(folder .. "/" .. color .. ".png", { color = color, run = run, view = "timeline" }))
end
t.raises("there is no colouring 'mood'", view.save, folder .. "/x.svg", { color = "mood" })
t.raises("start is known in a run only", view.save, folder .. "/x.svg", { color = "start", graph = graph.load(arg[1]) })
assert(view.save(folder .. "/other.svg", { graph = session_g, color = "device", width = 400, height = 300 }))
t.fails("", view.save(folder .. "/graph.gif"))
t.raises("opts.theme: there is no 'pink'; there are: light, dark", view.save, folder .. "/x.svg", { theme = "pink" })
t.raises("a timeline needs a run", view.save, folder .. "/x.svg", { view = "timeline", graph = session_g })
t.raises("opts.run: it is a run of another graph", view.save, folder .. "/x.svg", { run = run, graph = other })
