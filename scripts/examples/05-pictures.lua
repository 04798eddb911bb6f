-- Pictures for a report: the graph by device and by priority, and the timeline.
--
--   goban-cli run scripts/examples/05-pictures.lua [GRAPH [FOLDER]]
--
-- The folder is goban-out unless you name one.

local g = assert(graph.load(arg[1] or app.sample "toy.dot"))
local folder = arg[2] or "goban-out"
assert(app.mkdir(folder))

-- What the window would show is what view.save draws.
view.open(g)
view.show(sim.run(g, plan.heft(g)))

local function save(name, opts)
  local path = folder .. "/" .. name
  assert(view.save(path, opts))
  print("wrote " .. path)
end

save("graph.svg", { critical = true })
save("priorities.svg", { color = "priority" })
save("timeline.svg", { view = "timeline" })
save("dark.png", { view = "timeline", theme = "dark" })

-- The beginning alone, and another run beside the one that is shown.
save("start.svg", { view = "timeline", to = r.makespan / 4 })
save("one-device.svg", { view = "timeline", run = sim.run(plan.single(g)) })

-- For chrome://tracing and Perfetto.
assert(r:trace(folder .. "/trace.json"))
print("wrote " .. folder .. "/trace.json")
