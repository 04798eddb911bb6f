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
local charts = dofile "lib/charts.lua"
local clusters = dofile "lib/clusters.lua"
local journal = dofile "lib/journal.lua"
local measure = dofile "lib/measure.lua"
local orders = dofile "lib/orders.lua"
local output = dofile "lib/output.lua"
local place = dofile "lib/place.lua"
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

-- One row per cluster, one column per way.
local function measure_transfer(spec)
  local kept = journal.open(out.path "generalisation-transfer.journal.csv")
  local g = assert(graph.load(spec))
  local ways = {
    { GREEDY, "go-zeroshot", 1 }, { DRAWN, "go-zeroshot", SAMPLES },
    { "expert", "expert" }, { "heft", "heft" },
  }
  local found = {}
  for _, n in ipairs(DEVICES) do
    for _, factor in ipairs(FACTORS) do
      local row = { devices = n, factor = factor }
      local c = clusters.like("p100x2", n, factor)
      for _, way in ipairs(ways) do
        local name, policy, evals = table.unpack(way)
        local key = place.key(spec, n, factor, real(policy), evals or 0)
        row[name] = kept.get(key, function()
          return (place.run(g, real(policy), { cluster = c, evals = evals }))
        end)
      end
      found[#found + 1] = row
    end
  end
  return found
end

local function print_transfer(spec, rows)
  local lines = {}
  local function ms(result)
    return result.valid and tables.number(result.makespan * 1e3) or "OOM"
  end
  local function of(a, b) return a.valid and b.valid and a.makespan / b.makespan or nil end
  for _, row in ipairs(rows) do
    lines[#lines + 1] = {
      ("%d P100, %g x bandwidth"):format(row.devices, row.factor), ms(row[GREEDY]), ms(row[DRAWN]),
      ms(row.expert),
      ms(row.heft), tables.number(of(row[DRAWN], row.expert)),
      tables.number(of(row[DRAWN], row.heft)),
    }
  end
  tables.print("The same network on other clusters: " .. spec .. ", ms a step",
    { "cluster", "greedy", "of 16", "HP", "HEFT", "of 16 / HP", "of 16 / HEFT" }, lines,
    orders.line{ GREEDY, DRAWN, "expert", "heft" })
  local csv_rows = {}
  for _, row in ipairs(rows) do
    for _, name in ipairs{ GREEDY, DRAWN, "expert", "heft" } do
      csv_rows[#csv_rows + 1] = { graph = spec, devices = row.devices,
        bandwidth_factor = row.factor, policy = name,
        valid = row[name].valid, makespan_s = row[name].makespan, why = row[name].why }
    end
  end
  out.csv("generalisation-transfer.csv",
    { "graph", "devices", "bandwidth_factor", "policy", "valid", "makespan_s", "why" }, csv_rows)
end

-- --- files ---------------------------------------------------------------------------------------

local function write_csv()
  local rows = results.rows(graphs, SHOWN, function(row, name) row.policy = name end)
  out.csv("generalisation.csv", { "family", "graph", "nodes", "devices", "policy", "seed", "valid",
    "makespan_s",
    "evaluations", "seconds", "why" }, rows)
end

local function write_bars()
  local series = {}
  for i, name in ipairs{ GREEDY, DRAWN, TUNED, "go-one", "hdp", "heft" } do
    series[i] = charts.series(name, families, function(family)
      local r = mean_ratio(family.graphs, name, "expert")
      return r, nil, nil, not r and "none" or nil
    end)
  end
  out.svg("generalisation.svg", charts.bars{
    mark = "generalisation", title = "Families never seen: time a step, to the experts' plan",
    subtitle = "geometric means over a family's graphs; below 1 is faster",
    y_label = "ratio to HP (log)", kind = "log", base = 1, groups = results.names(families),
    series = series,
  })
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
