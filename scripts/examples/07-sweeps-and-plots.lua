-- Sweeps as tables, lines and heat maps, with intervals and tests, and what a slider does with one.
--
--   goban-cli run scripts/examples/07-sweeps-and-plots.lua [GRAPH [FOLDER]]
--
-- The folder is goban-out unless you name one. In the window, show(p) puts a plot into the console;
-- a click on a point shows the run behind it.

local g = assert(graph.load(arg[1] or app.sample "toy.dot"))
local folder = arg[2] or "goban-out"
assert(app.mkdir(folder))

-- How much do faster links help, and how many devices?
local rows = sweep{
  devices = { 1, 2, 4 }, gbps = { 1, 4, 16 },
  run = function(v)
    local c = cluster.preset(("equal:%d,bandwidth=%gGB/s"):format(v.devices, v.gbps))
    return sim.run(plan.heft(g, 0, c))
  end,
}
pp(rows)
show(plot(rows))

local lines = plot(rows, { x = "gbps", y = "makespan", by = "devices", x_label = "bandwidth",
  x_unit = "GB/s", log = "x", title = "Makespan by bandwidth" })
print("wrote " .. assert(lines:save(folder .. "/bandwidth.svg")))
print("wrote " .. assert(plot(rows):save(folder .. "/bandwidth.png")))

-- Policies against each other over the same points, where they cross, and a table for a paper.
local found = sweep{
  policy = { "heft", "random" }, gbps = range(1, 16, "log"), seeds = 5,
  run = function(v)
    return policy.get(v.policy):decide(g,
      { cluster = ("equal:4,bandwidth=%gGB/s"):format(v.gbps), seed = v.seed })
  end,
}
local means = found:summary{ by = { "policy", "gbps" }, value = "makespan" }
print(means:markdown{ columns = { "policy", "gbps", "n", "mean", "ci95" }, error = "ci95" })
print(found:compare{ between = "policy", value = "makespan", to = "heft" }:text())
print(means:crossover("heft", "random", "gbps"))
print("wrote " .. assert(plot(means, { error = "ci95", log = "x" }):save(folder .. "/means.svg")))

-- What the ops cost, and which are the largest.
print("wrote " .. assert(plot.histogram(g:nodes(), { x = "cost" }):save(folder .. "/costs.svg")))
show(g:nodes():top(5, "cost"))

-- Live in the window; here the slider is moved by the script.
local s = ui.slider("GB/s", 1, 100, 12, function(gbps)
  local c = cluster.preset(("equal:4,bandwidth=%gGB/s"):format(gbps))
  print(("%3d GB/s: %s"):format(gbps, sim.run(plan.heft(g, 0, c))))
end)
s:set(50)
