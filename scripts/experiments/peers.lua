-- The placement table: every peer on the 14 graphs of GO's first table, measured by the experts'
-- plan, the best of the others and the lower bound.
--
--   goban-cli run scripts/experiments/peers.lua [--quick] [OPTION...]
--
--   --quick         small graphs and few evaluations: ends in a minute
--   --policies A,B  these instead of all
--   --graphs TEXT   graphs whose name or spec has this in it
--   --suite NAME    another suite than go14
--   --task joint    the clusters of the joint task
--   --evals N       what each search may simulate, instead of its own default
--   --seconds S     what each search may take
--   --seeds K       repeat with K seeds; means are geometric
--   --journal FILE  keep every result here at once, and go on with what is there already
--   --csv FILE      write a line per graph, policy and seed here, too
--
-- Every plan runs by its own maker's order of ops. The whole table with searches and learned
-- policies takes hours: give it a journal.

local arguments = dofile "lib/arguments.lua"
local measure = dofile "lib/measure.lua"
local orders = dofile "lib/orders.lua"
local results = dofile "lib/results.lua"

-- What only serves to be compared with would widen the table, no more.
local function all_peers()
  local names = {}
  for _, row in ipairs(policy.list()) do
    if row.name ~= "random" and row.name ~= "round-robin" then names[#names + 1] = row.name end
  end
  return names
end

-- One line per graph as it is done, for whoever waits.
local function tell(row)
  local best
  for _, result in ipairs(row.results) do
    if result.valid and (not best or result.makespan < best.makespan) then best = result end
  end
  if best then
    print(("%-24s %8.3f ms by %s, %.3f times the bound"):format(row.name, best.makespan * 1e3,
      best.policy,
      best.ratio_to_bound or 0 / 0))
  else
    print(("%-24s no plan is valid"):format(row.name))
  end
end

local asked = arguments.read(arg, {
  quick = "flag", policies = "text", graphs = "text", suite = "text", task = "text",
  evals = "number",
  seconds = "number", seeds = "number", journal = "text", csv = "text",
})
local names = asked.policies and arguments.split(asked.policies) or all_peers()
local b, why = bench.run{
  suite = asked.suite or (asked.quick and "quick" or "go14"),
  policies = names,
  graphs = asked.graphs,
  task = asked.task,
  evals = asked.evals or (asked.quick and 100 or nil),
  seconds = asked.seconds or (asked.quick and 2 or nil),
  seeds = measure.seeds(asked, 1),
  journal = asked.journal,
  on_row = tell,
}
if not b then error(why, 0) end

print()
print((b:text():gsub("\n$", "")))
local graphs = b:rows()
for _, graph in ipairs(graphs) do
  graph.by_name = {}
  for _, result in ipairs(graph.results) do
    graph.by_name[result.policy] = measure.summary(result.policy, result.seeds)
  end
end
results.print_makespans("ms a step", graphs, names, orders.line(names))
if graphs[1].by_name.expert then results.print_comparison(graphs, names, "expert") end
if asked.csv then assert(app.write(asked.csv, b:csv())) end
