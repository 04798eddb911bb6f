-- Experiment 2, generalisation: GO on families of graphs that its network was never taught on, as
-- it is (zero-shot) and after fewer than 50 steps (fine-tuned), against GO from scratch, HP, HDP
-- and HEFT; then the same graph on other numbers of devices and other links.
--
--   goban-cli run scripts/experiments/generalisation.lua [--quick] [OPTION...]
--
--   --quick          small graphs and few evaluations: ends in a minute
--   --evals N        what GO-one and HDP may simulate (3200; 1600 on graphs of over 40,000 nodes)
--   --steps N        of fine-tuning, of 16 rollouts each (49)
--   --seeds K        (5; 1 on graphs of over 40,000 nodes)
--   --graphs TEXT    graphs whose name or spec has this in it
--   --suite NAME     another suite than go14
--   --transfer SPEC  the graph for other clusters (transformer-xl:layers=4); none: leave that table
--                    out
--   --stand-in A=B   measure policy B where A is meant
--   --out DIR        where generalisation.csv, .svg, -transfer.csv and the journals go (goban-out)
--   --journal FILE   another journal than DIR/generalisation.jsonl: placement's saves its part of
--                    the work
--
-- Zero-shot is measured twice: the likeliest plan (greedy, one evaluation), and the best of 16
-- drawn. The paper has this as a figure only.
local arguments = dofile "lib/arguments.lua"
local clusters = dofile "lib/clusters.lua"
local measure = dofile "lib/measure.lua"
local orders = dofile "lib/orders.lua"
local output = dofile "lib/output.lua"
local results = dofile "lib/results.lua"
local tables = dofile "lib/tables.lua"
local verdicts = dofile "lib/verdicts.lua"

local asked = arguments.read(arg, {
  quick = "flag", evals = "number", steps = "number", seeds = "number",
  graphs = "text",
  suite = "text", transfer = "text", ["stand-in"] = "text", out = "text", journal = "text",
})
local real = arguments.stand_ins(asked["stand-in"])
local out = output.open(asked.out)

local ROLLOUTS, SAMPLES = 16, 16
local seeds = measure.seeds(asked)
local steps = asked.steps or (asked.quick and 2 or 49)

local bench = measure.open(asked, asked.journal or out.path "generalisation.jsonl")

-- --- measuring -----------------------------------------------------------------------------------

local GREEDY, DRAWN, TUNED = "zero-shot, greedy", "zero-shot, of 16", "fine-tuned"
local SHOWN = { GREEDY, DRAWN, TUNED, "go-one", "expert", "hdp", "heft" }

local function measure_graph(graph)
  local evals = asked.evals or (asked.quick and 64) or (graph.is_large and 1600 or 3200)
  local ways = {
    { GREEDY, "go-zeroshot", { evals = 1 } },
    { DRAWN, "go-zeroshot", { evals = SAMPLES, seeds = seeds } },
    { TUNED, "go-finetune", { evals = steps * ROLLOUTS, seeds = seeds } },
    { "go-one", "go-one", { evals = evals, seeds = seeds } },
    { "expert", "expert", { evals = evals } },
    { "hdp", "hdp", { evals = evals, seeds = seeds } },
    { "heft", "heft", { evals = evals } },
  }
  graph.by_name = {}
  for _, way in ipairs(ways) do
    local name, policy, rest = table.unpack(way)
    graph.by_name[name] = measure.summary(name, bench.cells(graph, real(policy), rest))
  end
  print(("%-26s done"):format(graph.name))
end

local graphs = bench.graphs()
for _, graph in ipairs(graphs) do measure_graph(graph) end

-- Families in the suite's order, with their graphs.
local families = {}
for _, graph in ipairs(graphs) do
  local family = families[graph.family]
  if not family then
    family = { name = graph.family, graphs = {} }
    families[graph.family] = family
    families[#families + 1] = family
  end
  table.insert(family.graphs, graph)
end

-- Over a family's graphs, or all; nil where any graph has none of both.
local function mean_ratio(list, a, b)
  local mean, n = results.mean_ratio(list, a, b)
  if n == #list then return mean end
end

-- --- tables --------------------------------------------------------------------------------------

local function print_families()
  local rows = {}
  local function add(name, list)
    rows[#rows + 1] = {
      name, tables.number(mean_ratio(list, GREEDY, "expert")),
      tables.number(mean_ratio(list, DRAWN, "expert")),
      tables.number(mean_ratio(list, DRAWN, "heft")),
      tables.number(mean_ratio(list, TUNED, "expert")),
      tables.number(mean_ratio(list, TUNED, "hdp")),
      tables.number(mean_ratio(list, TUNED, "go-one")),
    }
  end
  for _, family in ipairs(families) do add(family.name, family.graphs) end
  rows[#rows + 1] = false
  add("all", graphs)
  tables.print("Families held out: ratios of run times, geometric means (below 1 is faster)",
    { "family", "greedy / HP", "of 16 / HP", "of 16 / HEFT", "tuned / HP", "tuned / HDP",
      "tuned / GO-one" }, rows,
    orders.line(SHOWN))
  print("The paper (a figure): fine-tuned is ahead of HP and HDP on every family and on average "
    .. "level with GO-one;")
  print "zero-shot is only marginally worse, and slightly ahead of HP and HDP."
end

-- --- verdicts ------------------------------------------------------------------------------------

-- Whether every family is faster, and the slowest's ratio.
local function on_every_family(list, what, a, b)
  local worst, name, missing
  for _, family in ipairs(families) do
    local r = mean_ratio(family.graphs, a, b)
    if not r then
      missing = true
    elseif not worst or r > worst then
      worst, name = r, family.name
    end
  end
  if missing then
    list.add(what, nil,
      worst and ("at worst %.3f (%s), but not all families are measured"):format(worst, name))
  else
    list.add(what, worst < 1, ("at worst %.3f (%s)"):format(worst, name))
  end
end

local function judge()
  local list = verdicts.new()
  local slowest
  for _, graph in ipairs(graphs) do
    for _, cell in ipairs(graph.nodes <= 10000 and graph.by_name[TUNED].cells or {}) do
      if not slowest or cell.seconds > slowest.seconds then
        slowest = { seconds = cell.seconds, name = graph.name }
      end
    end
  end
  list.add("fine-tuned in fewer than 50 steps", slowest and steps < 50,
    ("%d steps of %d rollouts"):format(steps, ROLLOUTS))
  list.add("in under a minute up to 10,000 nodes", slowest and slowest.seconds < 60,
    slowest and ("%.1f s (%s)"):format(slowest.seconds, slowest.name))

  on_every_family(list, "fine-tuned better than HP on every family", TUNED, "expert")
  on_every_family(list, "fine-tuned better than HDP on every family", TUNED, "hdp")
  local to_one = mean_ratio(graphs, TUNED, "go-one")
  list.add("fine-tuned within 3 % of GO-one", to_one and to_one <= 1.03,
    to_one and ("ratio %.3f"):format(to_one))
  for _, name in ipairs{ GREEDY, DRAWN } do
    local r = mean_ratio(graphs, name, "expert")
    list.add(name .. ": better than HP on average", r and r < 1, r and tables.less(r))
  end
  local r = mean_ratio(graphs, DRAWN, "heft")
  list.add("aim: zero-shot ahead of HEFT", r and r < 1, r and ("ratio %.3f"):format(r))
  list.print(#graphs)
end

-- --- other clusters ------------------------------------------------------------------------------

local DEVICES, FACTORS = { 2, 3, 4, 6, 8 }, { 0.25, 1, 4 }
if asked.quick then DEVICES, FACTORS = { 2, 3, 6 }, { 0.25, 4 } end

local WAYS = { GREEDY, DRAWN, "expert", "heft" }
local POLICIES = { [GREEDY] = "go-zeroshot", [DRAWN] = "go-zeroshot" }
local EVALS = { [GREEDY] = 1, [DRAWN] = SAMPLES }

-- A row for each cluster and way.
local function measure_transfer(spec)
  local g = assert(graph.load(spec))
  return sweep{
    graph = { spec }, version = { app.version }, devices = DEVICES, bandwidth_factor = FACTORS,
    policy = WAYS, stand_in = { asked["stand-in"] or "" },
    journal = out.path "generalisation-transfer.jsonl",
    run = function(v)
      local c = clusters.like("p100x2", v.devices, v.bandwidth_factor)
      local p, why = policy.get(real(POLICIES[v.policy] or v.policy)):decide(g,
        { cluster = c, evals = EVALS[v.policy] })
      if not p then return { valid = false, why = why } end
      local r = assert(sim.run(g, p, { cluster = c }))
      return { valid = r.valid, makespan = r.valid and r.makespan or nil,
               why = not r.valid and r:why() or nil }
    end,
  }
end

local function print_transfer(spec, found)
  local lines = {}
  for _, group in ipairs(found:group{ "devices", "bandwidth_factor" }) do
    local makespans = {}
    for _, row in ipairs(group.rows) do makespans[row.policy] = row.makespan end
    local line = { ("%d P100, %g x bandwidth"):format(group.devices, group.bandwidth_factor) }
    for i, way in ipairs(WAYS) do
      line[i + 1] = makespans[way] and tables.number(makespans[way] * 1e3) or "OOM"
    end
    line[#line + 1] = tables.number(results.over(makespans[DRAWN], makespans.expert))
    line[#line + 1] = tables.number(results.over(makespans[DRAWN], makespans.heft))
    lines[#lines + 1] = line
  end
  tables.print("The same network on other clusters: " .. spec .. ", ms a step",
    { "cluster", "greedy", "of 16", "HP", "HEFT", "of 16 / HP", "of 16 / HEFT" }, lines,
    orders.line(WAYS))
  out.csv("generalisation-transfer.csv", { "graph", "devices", "bandwidth_factor", "policy",
    "valid", "makespan", "why" }, found)
end

-- --- files ---------------------------------------------------------------------------------------

local function write_csv()
  local rows = results.rows(graphs, SHOWN, function(row, name) row.policy = name end)
  out.csv("generalisation.csv", { "family", "graph", "nodes", "devices", "policy", "seed", "valid",
    "makespan_s",
    "evaluations", "seconds", "why" }, rows)
end

local function write_bars()
  local rows = {}
  for _, family in ipairs(families) do
    for _, name in ipairs{ GREEDY, DRAWN, TUNED, "go-one", "hdp", "heft" } do
      rows[#rows + 1] = { group = family.name, name = name,
                          ratio = mean_ratio(family.graphs, name, "expert") }
    end
  end
  results.plot_ratios(out, "generalisation.svg", rows, {
    title = "Families never seen, geometric means: below 1 is faster than the experts' plan",
    y_label = "time a step, to HP" })
end

print()
measure.tell(asked)
results.print_makespans("ms a step", graphs, SHOWN, orders.line(SHOWN))
results.print_comparison(graphs, SHOWN, "expert")
print_families()
local spec = asked.transfer or (asked.quick and "rnnlm:steps=4" or "transformer-xl:layers=4")
local transfer = spec ~= "none" and measure_transfer(spec)
if transfer then print_transfer(spec, transfer) end
judge()
write_csv()
write_bars()
out.tell()
