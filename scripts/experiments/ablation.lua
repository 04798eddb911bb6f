-- Experiment 4, ablations: the one-shot network with a part of it taken
-- away. Parts of the decoder are taken away in training: goban-cli train builder --settings
-- attention=0, and so on.
--
--   goban-cli run scripts/experiments/ablation.lua [--quick] [OPTION...]
--
--   --quick          small graphs and few evaluations: ends in a minute
--   --evals N        what each variant may simulate (1000)
--   --seeds K        (5; 1 on graphs of over 40,000 nodes)
--   --graphs TEXT    graphs whose name or spec has this in it
--   --suite NAME     another suite than go14
--   --policy NAME    what is taken apart, instead of go-oneshot
--   --stand-in A=B   measure policy B where A is meant: it knows nothing of the settings
--   --out DIR        where ablation.csv, ablation.svg, -curves.svg and the journal go (goban-out)
--   --journal FILE   another journal than DIR/ablation.jsonl: placement's has the whole of it
--                    already
--
-- Each variant is one of goban-cli's --set; the last is the paper's own preset, as literal as we
-- could make it.
local arguments = dofile "lib/arguments.lua"
local measure = dofile "lib/measure.lua"
local orders = dofile "lib/orders.lua"
local output = dofile "lib/output.lua"
local paper = dofile "lib/paper.lua"
local results = dofile "lib/results.lua"
local tables = dofile "lib/tables.lua"

local asked = arguments.read(arg, {
  quick = "flag", evals = "number", seeds = "number", graphs = "text", suite = "text",
  policy = "text",
  ["stand-in"] = "text", out = "text", journal = "text",
})
local real = arguments.stand_ins(asked["stand-in"])
local out = output.open(asked.out)

-- `of` is what a variant is a part of.
local WHOLE = "whole"
local VARIANTS = {
  { name = WHOLE },
  { name = "nothing learned", of = WHOLE, settings = "rate=0,last-rate=0" },
  { name = "first in first out", of = WHOLE, settings = "order=fifo" },
  { name = "no attention", of = WHOLE, settings = "attention=0" },
  { name = "no modulation", of = WHOLE, settings = "modulation=0" },
  { name = "no graph embedding", of = WHOLE, settings = "graph=0" },
  { name = "no standardised head", of = WHOLE, settings = "standardized=0" },
  { name = "no path credit", of = WHOLE, settings = "credit=0" },
  { name = "paper's preset", of = WHOLE, settings = "preset=paper" },
}

local NAMES = results.names(VARIANTS)
for _, variant in ipairs(VARIANTS) do VARIANTS[variant.name] = variant end
-- The paper's preset leaves the order to TensorFlow.
local ORDERS = orders.line(NAMES, function(name)
  local settings = VARIANTS[name].settings or ""
  return settings:find "order=fifo" ~= nil or settings:find "preset=paper" ~= nil
end)

local seeds = measure.seeds(asked)
local policy_name = real(asked.policy or "go-oneshot")
local bench = measure.open(asked, asked.journal or out.path "ablation.jsonl")

local graphs = bench.graphs()
for _, graph in ipairs(graphs) do
  graph.by_name = {}
  local evals = asked.evals or (asked.quick and 64) or 1000
  for _, variant in ipairs(VARIANTS) do
    graph.by_name[variant.name] = measure.summary(variant.name,
      bench.cells(graph, policy_name,
        { evals = evals, seeds = seeds, settings = variant.settings }))
  end
  print(("%-26s done"):format(graph.name))
end

local function ratio(graph, variant)
  return results.ratio(graph, variant.name, variant.of)
end

-- --- tables --------------------------------------------------------------------------------------

-- How much longer a step is without a part, on average, at worst and at best, and where it was not.
local function print_parts()
  local rows = {}
  for _, variant in ipairs(VARIANTS) do
    if variant.name ~= WHOLE then
      local all, harmed = {}, 0
      for _, graph in ipairs(graphs) do
        local r = ratio(graph, variant)
        all[#all + 1] = r
        if r and r > 1 then harmed = harmed + 1 end
      end
      local remembered = paper.ablations[variant.name]
      rows[#rows + 1] = {
        variant.name, variant.of,
        results.geometric_text(all), tables.number(statistics.summary(all).min),
        tables.number(statistics.summary(all).max),
        ("%d of %d"):format(harmed, #all),
        remembered and ("%+.1f %%"):format(remembered * 100) or tables.NOTHING,
      }
    end
  end
  tables.print("Ratio of the time a step to that of what it is a part of: above 1 the part is "
    .. "worth having; ± is half the 95 % interval",
    { "variant", "part of", "mean", "least", "most", "slower on", "run time *" }, rows, ORDERS)
  print(("* %s; its modulation was measured when all graphs were taught in one batch, not from "
    .. "scratch")
    :format(paper.REMEMBERED))
end

-- --- files ---------------------------------------------------------------------------------------

local function write_csv()
  local rows = results.rows(graphs, NAMES, function(row, name)
    row.variant, row.settings = name, VARIANTS[name].settings
  end)
  out.csv("ablation.csv", { "graph", "nodes", "devices", "variant", "settings", "seed", "valid",
    "makespan_s",
    "evaluations", "best_evaluation", "seconds", "why" }, rows)
end

local function write_plots()
  local rows = {}
  for _, graph in ipairs(graphs) do
    for v = 2, #VARIANTS do
      rows[#rows + 1] = { group = graph.name, name = NAMES[v], ratio = ratio(graph, VARIANTS[v]) }
    end
  end
  results.plot_ratios(out, "ablation.svg", rows, {
    title = "GO without a part of it, equal evaluations: above 1 the part is worth having",
    y_label = "time a step, to what it is a part of" })
  local chosen = results.largest_searched(graphs, WHOLE)
  if chosen then results.plot_curves(out, "ablation-curves.svg", chosen, NAMES) end
end

print()
measure.tell(asked)
results.print_makespans("ms a step", graphs, NAMES, ORDERS)
results.print_comparison(graphs, NAMES, WHOLE)
print_parts()
write_csv()
write_plots()
out.tell()
