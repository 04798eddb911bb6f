-- First steps: load a graph, place it with a few policies, simulate, compare.
--
--   goban-cli run scripts/examples/01-first-steps.lua [GRAPH]

local path = arg[1] or app.sample "toy.dot"
local g = assert(graph.load(path))
print(g)

-- What is expensive? Times are seconds, sizes bytes.
local stats = g:stats()
print(("%d operations, %.3f ms of work"):format(stats.nodes, stats.work * 1e3))
for node in g:nodes():top(3, "cost"):each() do
  print(("  %-20s %-12s %.3f ms"):format(node.name, node.op, node.cost * 1e3))
end

-- A plan says where every operation runs, and in which order. One function per policy makes one.
local p = plan.heft(g)
local r = sim.run(g, p)
print(r)

-- Why does it take that long? The steps that decided its length:
for i, line in ipairs(r:explain()) do
  if i > 5 then print("  ...") break end
  print("  " .. line)
end

-- Several policies side by side; everything on one device is always among them.
print(assert(compare.policies(g, { "metis", "heft", "critical-path" })):text())

-- Plans can be edited, too. What does moving the most expensive operation cost?
local q = p:copy():move(g:nodes():top(1, "cost"), "gpu:1")
print(compare(p, q))
