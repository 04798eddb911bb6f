-- Experiment 1, placement alone: GO from scratch on each of the 14 graphs, against all peers at
-- equal numbers of evaluations, and against annealing with ten times as many.
--
--   goban-cli run scripts/experiments/placement.lua [--quick] [OPTION...]
--
--   --quick          small graphs and few evaluations: ends in a minute
--   --evals N        what each search may simulate (3200; 1600 on graphs of over 40,000 nodes)
--   --seeds K        seeds of what depends on chance (5; 1 on graphs of over 40,000 nodes)
--   --graphs TEXT    graphs whose name or spec has this in it
--   --suite NAME     another suite than go14
--   --policies A,B   these peers instead of all; HP (expert) is always among them
--   --stand-in A=B   measure policy B where A is meant
--   --no-limit       leave out `go-one` within ten minutes on graphs of over 40,000 nodes
--   --out DIR        where placement.csv, placement.svg, both of -curves, and the journal go
--                    (goban-out)
--   --journal FILE   another journal than DIR/placement.jsonl
--
-- The whole table takes hours; it may be interrupted, and goes on from its journal when started
-- again. Figures of the paper are as remembered, and nothing is judged by them but the averages
-- that its authors published elsewhere, too.
--
-- Decision A8 (app/NOTES.md).
local arguments = dofile "lib/arguments.lua"
local measure = dofile "lib/measure.lua"
local orders = dofile "lib/orders.lua"
local output = dofile "lib/output.lua"
local paper = dofile "lib/paper.lua"
local results = dofile "lib/results.lua"
local tables = dofile "lib/tables.lua"
local verdicts = dofile "lib/verdicts.lua"

local asked = arguments.read(arg, {
  quick = "flag", evals = "number", seeds = "number", graphs = "text", suite = "text",
  policies = "text",
  ["stand-in"] = "text", ["no-limit"] = "flag", out = "text", journal = "text",
})
local real = arguments.stand_ins(asked["stand-in"])
local out = output.open(asked.out)

local PEERS = {
  "expert", "tf-default", "metis", "metis-mem", "heft", "m-etf", "m-sct", "anneal", "brkga", "hdp",
  "regal",
  "placeto", "post",
}
-- Chance has no part in them.
local CERTAIN = { expert = true, ["tf-default"] = true, heft = true, ["m-etf"] = true,
  ["m-sct"] = true }
local HEURISTICS = { "heft", "m-etf", "m-sct" }
local LONG = "anneal, 10 times"
-- GNMT of 83,700 nodes must see so much in ten minutes.
local LIMIT_SECONDS, LIMIT_EVALS = 600, 1600

local seeds = measure.seeds(asked)
local policies = { "go-one" }
for _, name in ipairs(asked.policies and arguments.split(asked.policies) or PEERS) do
  if name ~= "go-one" and name ~= "expert" then policies[#policies + 1] = name end
end
table.insert(policies, 2, "expert")

local bench = measure.open(asked, asked.journal or out.path "placement.jsonl")

local function evals_for(graph)
  return asked.evals or (asked.quick and 64) or (graph.is_large and LIMIT_EVALS or 3200)
end

-- --- measuring -----------------------------------------------------------------------------------

-- by_name: what each policy made of a graph.
local function measure_one(graph, name, policy, rest)
  graph.by_name[name] = measure.summary(name, bench.cells(graph, policy, rest))
end

local shown = { table.unpack(policies) }
for _, name in ipairs(policies) do
  if name == "anneal" then shown[#shown + 1] = LONG end
end

-- One line per graph as it is done, for whoever waits.
local function tell(graph)
  local go, best = graph.by_name["go-one"], nil
  for _, name in ipairs(shown) do
    local found = graph.by_name[name]
    if found.makespan and (not best or found.makespan < best.makespan) then best = found end
  end
  print(("%-26s go %s ms, the best %s ms by %s"):format(graph.name,
    tables.number(go.makespan and go.makespan * 1e3), tables.number(best and best.makespan * 1e3),
    best and best.name or tables.NOTHING))
end

local graphs = bench.graphs()
for _, graph in ipairs(graphs) do
  graph.by_name = {}
  local evals = evals_for(graph)
  for _, name in ipairs(policies) do
    local policy = real(name)
    measure_one(graph, name, policy, { evals = evals, seeds = CERTAIN[policy] and 1 or seeds })
  end
  if graph.by_name.anneal then
    measure_one(graph, LONG, real "anneal", { evals = 10 * evals, seeds = seeds })
  end
  if graph.is_large and not asked["no-limit"] and not asked.quick then
    graph.limited = bench.cells(graph, real "go-one",
      { evals = 1000000, seconds = LIMIT_SECONDS, settings = "rollouts=16" })[1]
  end
  tell(graph)
end

-- --- makespans -----------------------------------------------------------------------------------

local function print_makespans()
  local means, counts = { "mean ratio to go" }, { "of so many graphs" }
  for i, name in ipairs(shown) do
    local mean, n = results.mean_ratio(graphs, name, "go-one")
    means[i + 1], counts[i + 1] = tables.number(mean), tostring(n)
  end
  results.print_makespans("ms a step (geometric means over seeds)", graphs, shown,
    orders.line(shown),
    { means, counts })
end

-- --- against the paper ---------------------------------------------------------------------------

local function seconds(x) return tables.number(x, "%.3f") end

local function print_against_paper()
  local titles = { "graph", "go [ms]", "under HP", "under HDP", "GO [s] *", "HP [s] *", "HDP [s] *",
    "under HP *",
    "under HDP *" }
  local rows = {}
  for _, graph in ipairs(graphs) do
    local go, theirs = graph.by_name["go-one"], paper.seconds[graph.name] or {}
    rows[#rows + 1] = {
      graph.name, tables.number(go.makespan and go.makespan * 1e3),
      tables.less(results.ratio(graph, "go-one", "expert")),
      tables.less(results.ratio(graph, "go-one", "hdp")),
      seconds(theirs.go), seconds(theirs.hp), seconds(theirs.hdp),
      tables.less(results.over(theirs.go, theirs.hp)),
      tables.less(results.over(theirs.go, theirs.hdp)),
    }
  end
  rows[#rows + 1] = false
  local to_hp, to_hdp = results.mean_ratio(graphs, "go-one", "expert"),
    results.mean_ratio(graphs, "go-one", "hdp")
  rows[#rows + 1] = { "average", "", tables.less(to_hp), tables.less(to_hdp), "", "", "",
    tables.less(1 - paper.averages.less_than_hp), tables.less(1 - paper.averages.less_than_hdp) }
  tables.print("GO's run time: 1 - ratio of times, beside the paper's", titles, rows,
    orders.line{ "go-one", "expert", "hdp" })
  print(("* %s; its averages are those its authors published on their blog"):format(
    paper.REMEMBERED))
end

-- --- what searching costs ------------------------------------------------------------------------

-- HDP's best, when HDP had it, and when GO was as good: over seeds with the same number.
local function cost_of(graph)
  local go, hdp = graph.by_name["go-one"], graph.by_name.hdp
  if not hdp then return {} end
  local ours, theirs = {}, {}
  for i, cell in ipairs(hdp.cells) do
    local mine = go.cells[i]
    local reached = mine and cell.valid and measure.evaluations_to(mine, cell.makespan)
    if not reached or not cell.best_evaluation then return { is_missing = true } end
    ours[i], theirs[i] = reached, cell.best_evaluation
  end
  return { ours = statistics.geometric(ours), theirs = statistics.geometric(theirs) }
end

local function print_cost()
  local rows = {}
  for _, graph in ipairs(graphs) do
    local go, hdp, cost = graph.by_name["go-one"], graph.by_name.hdp, cost_of(graph)
    graph.fewer = results.over(cost.theirs, cost.ours)
    rows[#rows + 1] = {
      graph.name, tables.number(cost.theirs, "%.0f"), tables.number(cost.ours, "%.0f"),
      tables.number(graph.fewer, "%.1f"),
      tables.number(measure.mean(go.cells, "evaluations"), "%.0f"),
      tables.number(measure.mean(go.cells, "seconds"), "%.2f"),
      tables.number(hdp and measure.mean(hdp.cells, "seconds"), "%.2f"),
    }
  end
  rows[#rows + 1] = false
  rows[#rows + 1] = { "mean", "", "",
    tables.number((results.mean_of(graphs, function(graph) return graph.fewer end)), "%.1f") }
  tables.print("The cost of searching (– : GO was never as good, or it is not known when)",
    { "graph", "HDP's best at", "GO as good at", "times fewer", "GO's evals", "GO [s]", "HDP [s]" },
    rows,
    orders.line{ "go-one", "hdp" })
end

-- --- verdicts ------------------------------------------------------------------------------------

local function best_heuristic(graph)
  local best
  for _, name in ipairs(HEURISTICS) do
    local found = graph.by_name[name]
    if found and found.makespan and (not best or found.makespan < best) then
      best = found.makespan
    end
  end
  return best
end

local function judge()
  local list = verdicts.new()
  local hp, n_hp = results.mean_ratio(graphs, "go-one", "expert")
  local hdp, n_hdp = results.mean_ratio(graphs, "go-one", "hdp")
  list.less("20.5 % less run time than HP", hp, 0.205, n_hp, #graphs)
  list.less("18.2 % less run time than HDP", hdp, 0.182, n_hdp, #graphs)

  -- Without a valid plan of HDP there is nothing to be as good as.
  local fewer, n_fewer = results.mean_of(graphs, function(graph) return graph.fewer end)
  local _, n_any = results.mean_of(graphs,
    function(graph) return graph.by_name.hdp and graph.by_name.hdp.makespan end)
  list.add("15 times fewer evaluations than HDP to HDP's best",
    fewer and fewer >= 15 and n_fewer >= n_any,
    fewer and ("%.1f on %d of %d graphs"):format(fewer, n_fewer, n_any))

  local worse, missing = {}, 0
  for _, graph in ipairs(graphs) do
    local r = results.ratio(graph, "go-one", "expert")
    if not r then
      missing = missing + 1
    elseif r > 1 + 1e-9 then
      worse[#worse + 1] = ("%s by %.1f %%"):format(graph.name, (r - 1) * 100)
    end
  end
  list.add("on no graph worse than HP", n_hp > 0 and #worse == 0,
    (#worse == 0 and "none" or table.concat(worse, ", "))
    .. (missing > 0 and (", %d without a valid plan of both"):format(missing) or ""))

  list.less("aim: 30 % less than HP", hp, 0.30, n_hp, #graphs)
  list.less("aim: 25 % less than HDP", hdp, 0.25, n_hdp, #graphs)

  local ahead = 0
  for _, graph in ipairs(graphs) do
    local go, best = graph.by_name["go-one"].makespan, best_heuristic(graph)
    if go and (not best or go < best) then ahead = ahead + 1 end
  end
  list.add("aim: ahead of HEFT, m-ETF and m-SCT on 12 of 14", ahead * 14 >= 12 * #graphs,
    ("%d of %d"):format(ahead, #graphs))

  local long = results.mean_ratio(graphs, "go-one", LONG)
  list.add("aim: no worse than annealing with ten times the evaluations", long and long <= 1,
    long and ("ratio %.3f"):format(long))

  for _, graph in ipairs(graphs) do
    local cell = graph.limited
    if cell then
      local r = cell.valid and results.over(cell.makespan, graph.by_name.expert.makespan)
      list.add(("%s: 100 updates of 16 rollouts in ten minutes"):format(graph.name),
        cell.evaluations >= LIMIT_EVALS,
        ("%d evaluations"):format(cell.evaluations))
      list.add(("%s: better than HP within ten minutes"):format(graph.name), r and r < 1,
        r and tables.less(r))
    end
  end
  list.print(#graphs)
end

-- --- files ---------------------------------------------------------------------------------------

local function write_csv()
  local steps = {}
  local rows = results.rows(graphs, shown, function(row, name, cell)
    row.policy, row.measured = name, real(name == LONG and "anneal" or name)
    for _, step in ipairs(cell.improvements or {}) do
      steps[#steps + 1] = { graph = row.graph, policy = name, seed = cell.seed,
        evaluation = step.evaluation,
        makespan_s = step.makespan }
    end
  end)
  out.csv("placement.csv", { "graph", "spec", "nodes", "devices", "policy", "measured", "seed",
    "valid", "why",
    "makespan_s", "evaluations", "best_evaluation", "seconds" }, rows)
  if #steps > 0 then
    out.csv("placement-curves.csv", { "graph", "policy", "seed", "evaluation", "makespan_s" },
      steps)
  end
end

-- Ratios to HP of those that the paper has, and the strongest others; and how the best so far falls
-- for the first seed, on the largest graph that has curves.
local function write_plots()
  local compared = {}
  for _, name in ipairs{ "go-one", "hdp", "metis", "heft", "m-sct", "anneal", LONG } do
    if graphs[1].by_name[name] then compared[#compared + 1] = name end
  end
  results.plot_ratios(out, "placement.svg", results.ratios(graphs, compared, "expert"), {
    title = "Placement, equal evaluations: below 1 is faster than the experts' plan",
    y_label = "time a step, to HP" })
  local chosen = results.largest_searched(graphs, "go-one")
  if chosen then
    results.plot_curves(out, "placement-curves.svg", chosen,
      { "go-one", "hdp", "post", "placeto", "anneal", "brkga" },
      { HP = chosen.by_name.expert.makespan })
  end
end

print()
measure.tell(asked)
print_makespans()
results.print_comparison(graphs, shown, "go-one")
print_against_paper()
print_cost()
judge()
write_csv()
write_plots()
out.tell()
