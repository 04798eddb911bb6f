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
t.raises("invalid option", view.color, "mood")
assert(app.log()[#app.log()] == 'view.color "priority"')

-- Hiding is of the view alone, and said with names.
local function last() return app.log()[#app.log()] end
view.hide(g:nodes { "fuse" })
assert(last() == 'view.hide(g:nodes{"fuse"})')
g:where({ op = "Conv" }):hide()
assert(last():find "fuse" and last():find "conv1")
view.hide()
assert(last() == "view.hide()")
t.raises("number", view.snapshot, "one")
t.raises("bookmarks have numbers 1 to 9", view.snapshot, 10)
t.raises("there is no such bookmark", view.recall, 2)
view.snapshot(2)
assert(last() == "view.snapshot(2)")
view.color "device"
view.recall(2)
assert(last() == 'view.color "priority"')

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
assert(view.save(folder .. "/other.svg", { graph = session_g, color = "device", width = 400, height = 300 }))
t.fails("", view.save(folder .. "/graph.gif"))
t.raises("opts.theme: there is no 'pink'; there are: light, dark", view.save, folder .. "/x.svg", { theme = "pink" })
t.raises("a timeline needs a run", view.save, folder .. "/x.svg", { view = "timeline", graph = session_g })
t.raises("opts.run: it is a run of another graph", view.save, folder .. "/x.svg", { run = run, graph = other })
