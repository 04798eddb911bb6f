-- What if the link were faster? One plan, many bandwidths; and is that plan still the best?
--
--   goban-cli run scripts/examples/03-faster-link.lua [GRAPH]

local g = assert(graph.load(arg[1] or app.sample "toy.dot"))
local c = cluster.preset "p100x2"
local p = plan.heft(g, c)
local link = c:link("gpu:0", "gpu:1")
print(link)

-- A cluster's numbers can be set. The plan stays; the simulation tells what it is worth.
print("    GB/s   this plan   placed anew")
for _, gigabytes in ipairs { 1, 2, 5, 12, 25, 50, 100 } do
  link.bandwidth = gigabytes * 1e9
  local kept = sim.run(g, p, c)
  local anew = sim.run(g, plan.heft(g, c), c)
  print(("%8d  %7.3f ms  %9.3f ms"):format(gigabytes, kept.makespan * 1e3, anew.makespan * 1e3))
end

-- With a link as slow as this, one device may do as well.
link.bandwidth = "100MB"
print(compare(plan.single(g, c), plan.heft(g, c)))
