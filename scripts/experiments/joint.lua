-- Experiment 3, the joint problem: placement, scheduling and fusion one by one and together, on the
-- clusters of the joint task (V100).
--
--   goban-cli run scripts/experiments/joint.lua [--quick] [OPTION...]
--
--   --quick          small graphs and few evaluations: ends in a minute
--   --evals N        what each variant may simulate in all (800)
--   --apart          tasks one by one may simulate N each, not N in all
--   --seeds K        (5; 1 on graphs of over 40,000 nodes)
--   --graphs TEXT    graphs whose name or spec has this in it
--   --variants A,B   only these; TF-default, and the others that verdicts need, may not be left out
--   --suite NAME     another suite than go14
--   --stand-in A=B   measure policy B where A is meant
--   --out DIR        where joint.csv, joint.svg, joint.journal.csv and plans/ go (goban-out)
--
-- "a+b" decides both at once; "a|b" decides a, then b on the plan that came of it, each with an
-- equal share of the evaluations. What a variant does not decide is TensorFlow's: devices take ops
-- first in, first out, and ops are fused as XLA fused in 2020, after they are placed. HP is the
-- experts' placement; sch+fu has it, too. The paper has this as a figure only.
--
-- GO decides by go-finetune: its network learns on the graph, and moves improve its best
-- plan. zero-shot is go-zeroshot with 17 evaluations, which go-finetune begins with.
-- Controls: best|sch|fu places under the best static order, so that its first stage knows of
-- scheduling already; uniform draws the moves of pl+sch+fu by chance; anneal, m-etf and heft have
-- orders of their own and are fused by XLA.
--
-- Decision A9 (app/NOTES.md).
local arguments = dofile "lib/arguments.lua"
local journal = dofile "lib/journal.lua"
local measure = dofile "lib/measure.lua"
local orders = dofile "lib/orders.lua"
local output = dofile "lib/output.lua"
local place = dofile "lib/place.lua"
local results = dofile "lib/results.lua"
local tables = dofile "lib/tables.lua"
local verdicts = dofile "lib/verdicts.lua"

local load_graph = graph.load

local asked = arguments.read(arg, {
  quick = "flag", evals = "number", apart = "flag", seeds = "number", graphs = "text",
  suite = "text",
  variants = "text", ["stand-in"] = "text", out = "text",
})
local real = arguments.stand_ins(asked["stand-in"])
local out = output.open(asked.out)
local plans = output.open(out.path "plans")
local kept = journal.open(out.path "joint.journal.csv")

-- base: whose plan is begun with, with so many evaluations as all may have if it searches; stages:
-- what GO decides then, one after another; has_order: the base's own order is kept; settings: of
-- every stage; is_built: the network's plan alone.
local VARIANTS = {
  { name = "TF-default", base = "tf-default", stages = {} },
  { name = "hp-only", base = "expert", stages = {} },
  { name = "pl-only", stages = { "placement" } },
  { name = "pl|sch", stages = { "placement", "scheduling" } },
  { name = "pl+sch", stages = { "placement,scheduling" } },
  { name = "sch+fu", base = "expert", stages = { "scheduling,fusion" } },
  { name = "pl|sch|fu", stages = { "placement", "scheduling", "fusion" } },
  { name = "pl+sch+fu", stages = { "placement,scheduling,fusion" } },
  { name = "zero-shot", stages = { "placement,scheduling,fusion" }, policy = "go-zeroshot",
    evals = 17 },
  { name = "best|sch|fu", stages = { "placement", "scheduling", "fusion" }, order = "best" },
  { name = "uniform", stages = { "placement,scheduling,fusion" }, settings = "proposals=uniform" },
  { name = "anneal", base = "anneal", stages = {}, has_order = true },
  { name = "m-etf", base = "m-etf", stages = {}, has_order = true },
  { name = "heft", base = "heft", stages = {}, has_order = true },
}
for i = #VARIANTS, 1, -1 do
  local wanted = "," .. (asked.variants or VARIANTS[i].name) .. ","
  if not wanted:find("," .. VARIANTS[i].name .. ",", 1, true) then table.remove(VARIANTS, i) end
end
local NAMES = results.names(VARIANTS)
for _, variant in ipairs(VARIANTS) do VARIANTS[variant.name] = variant end
local ALL, APART, PAIRS = "pl+sch+fu", "pl|sch|fu", { "pl|sch", "pl+sch", "sch+fu" }

local seeds = measure.seeds(asked)

-- Without scheduling ops run first in, first out.
local function decides_scheduling(variant)
  if variant.has_order then return true end
  for _, tasks in ipairs(variant.stages) do
    if tasks:find "scheduling" then return true end
  end
  return false
end
local ORDERS = orders.line(NAMES, function(name) return not decides_scheduling(VARIANTS[name]) end)

-- --- measuring -----------------------------------------------------------------------------------

local function decides_fusion(variant)
  for _, tasks in ipairs(variant.stages) do
    if tasks:find "fusion" then return true end
  end
  return false
end

-- The file of a plan that later stages begin with: a name without what file systems mind.
local function plan_name(...)
  return (table.concat({ ... }, "-"):gsub("[^%w%-]+", "_")) .. ".json"
end

-- A step that makes a plan: its result, from the journal if it is there, and its plan as a
-- function. Plans that a later step goes on from are kept in files; one that is lost is made again.
local function step(graph, key, file, make)
  local made
  local result = kept.get(key, function()
    local found
    found, made = make()
    if made and file then assert(made:save(plans.path(file))) end
    return found
  end)
  return result, function()
    made = made or file and plan.load(plans.path(file), graph.loaded(), graph.cluster)
      or select(2, make())
    return made
  end
end

-- What one variant makes of a graph with a seed: the result of its last stage.
local function measure_variant(graph, variant, seed, evals)
  local n_stages = #variant.stages
  local share = variant.evals or asked.apart and evals or evals // math.max(n_stages, 1)
  local decider = real(variant.policy or "go-finetune")
  local function last(p)
    return decides_fusion(variant) and p or p:fuse_default()
  end
  local function in_order(p)
    if not variant.has_order then p.order = "fifo" end
    return n_stages > 0 and p or last(p)
  end

  local result, get_plan
  if variant.base then
    local base = real(variant.base)
    result, get_plan = step(graph, place.key(graph.graph, graph.cluster, variant.name, base, seed,
      share), nil, function()
      return place.run(graph.loaded(), base,
        { cluster = graph.cluster, seed = seed, evals = share }, in_order)
    end)
  end
  local path = variant.base or ""
  for i, tasks in ipairs(variant.stages) do
    local is_last, from = i == n_stages, get_plan
    local settings = variant.settings
    if tasks == "placement" then settings = "order=" .. (variant.order or "fifo") end
    path = path .. "|" .. tasks .. (settings and " " .. settings or "")
    local key = place.key(graph.graph, graph.cluster, decider, path, is_last and variant.name or "",
      seed, share)
    local file = not is_last and plan_name(graph.graph, decider, path, seed, share) or nil
    result, get_plan = step(graph, key, file, function()
      return place.run(graph.loaded(), decider, {
        cluster = graph.cluster, seed = seed, evals = share, start = from and from(),
        tasks = tasks, settings = settings,
      }, is_last and last or nil)
    end)
  end
  return result
end

-- The least time that any plan on these devices can take, whatever it fuses.
local function find_bound(graph)
  local p = assert(policy.get("tf-default"):decide(graph.loaded(),
    { cluster = graph.cluster })):fuse_default()
  return assert(sim.run(graph.loaded(), p, { cluster = graph.cluster })).bound
end

local bench = measure.open(asked, out.path "joint.jsonl", "joint")
local graphs = bench.graphs()
for _, graph in ipairs(graphs) do
  graph.by_name = {}
  local opened
  function graph.loaded()
    opened = opened or assert(load_graph(graph.graph))
    return opened
  end
  graph.least = find_bound(graph)
  local evals = asked.evals or (asked.quick and 96) or 800
  for _, variant in ipairs(VARIANTS) do
    local cells = {}
    for seed = 0, (#variant.stages == 0 or graph.is_large) and 0 or seeds - 1 do
      local cell = measure_variant(graph, variant, seed, evals)
      cell.seed = seed
      cells[#cells + 1] = cell
    end
    graph.by_name[variant.name] = measure.summary(variant.name, cells)
  end
  print(("%-26s done"):format(graph.name))
end

-- --- tables --------------------------------------------------------------------------------------

local function print_less()
  local titles, rows = { "graph" }, {}
  for i = 2, #NAMES do titles[i] = NAMES[i] end
  titles[#titles + 1] = "at best"
  titles[#titles + 1] = ALL .. " under " .. APART
  for _, graph in ipairs(graphs) do
    local row = { graph.name }
    for i = 2, #NAMES do row[i] = tables.less(results.ratio(graph, NAMES[i], "TF-default")) end
    row[#row + 1] = tables.less(results.over(graph.least, graph.by_name["TF-default"].makespan))
    row[#row + 1] = tables.less(results.ratio(graph, ALL, APART))
    rows[#rows + 1] = row
  end
  rows[#rows + 1] = false
  local means = { "average" }
  for i = 2, #NAMES do
    means[i] = tables.less((results.mean_ratio(graphs, NAMES[i], "TF-default")))
  end
  means[#means + 1] = tables.less((results.mean_of(graphs, function(graph)
    return results.over(graph.least, graph.by_name["TF-default"].makespan)
  end)))
  means[#means + 1] = tables.less((results.mean_ratio(graphs, ALL, APART)))
  rows[#rows + 1] = means
  tables.print("Under TF-default: 1 - ratio of times", titles, rows, ORDERS)
  print("At best: the bound of all plans on so many devices, whatever they fuse.")
  print("The paper (a figure; its authors' blog): " .. ALL
    .. " is 33 to 60 % under TF-default, ahead of every two")
  print("tasks, and on average 7.8 % under " .. APART .. ".")
end

-- --- verdicts ------------------------------------------------------------------------------------

local function judge()
  local list = verdicts.new()
  local least, where, missing = nil, nil, 0
  for _, graph in ipairs(graphs) do
    local r = results.ratio(graph, ALL, "TF-default")
    if not r then
      missing = missing + 1
    elseif not least or r > least then
      least, where = r, graph.name
    end
  end
  list.add("33 % or more under TF-default on every workload", least and 1 - least >= 0.33,
    least and ("at least %s (%s)%s"):format(tables.less(least), where,
      missing > 0 and (", %d without a valid plan of both"):format(missing) or ""))

  local behind, n = {}, 0
  for _, graph in ipairs(graphs) do
    for _, pair in ipairs(PAIRS) do
      local r = results.ratio(graph, ALL, pair)
      if r then n = n + 1 end
      if r and r >= 1 then behind[#behind + 1] = ("%s to %s"):format(graph.name, pair) end
    end
  end
  list.add("better than every two tasks on every workload", n > 0 and #behind == 0,
    #behind == 0 and ("%d comparisons"):format(n)
      or ("%d of %d not: %s%s"):format(#behind, n, behind[1],
      #behind > 1 and ", …" or ""))

  local apart, n_apart = results.mean_ratio(graphs, ALL, APART)
  list.less("7.8 % better than the three tasks one by one", apart, 0.078, n_apart, #graphs)
  list.less("aim: 10 % better", apart, 0.10, n_apart, #graphs)
  for _, name in ipairs{ "best|sch|fu", "uniform", "anneal" } do
    local ratio, n_both = results.mean_ratio(graphs, ALL, name)
    list.less("ahead of the control " .. name, ratio, 1e-9, n_both, #graphs)
  end
  list.print(#graphs)
end

-- --- files ---------------------------------------------------------------------------------------

local function write_csv()
  local rows = results.rows(graphs, NAMES, function(row, name, cell)
    row.variant = name
    local n_stages = math.max(#VARIANTS[name].stages, 1)
    row.evaluations = cell.evaluations and cell.evaluations * (asked.apart and 1 or n_stages)
  end)
  out.csv("joint.csv", { "graph", "nodes", "devices", "variant", "seed", "valid", "makespan_s",
    "evaluations", "why" },
    rows)
end

local function write_bars()
  results.plot_ratios(out, "joint.svg",
    results.ratios(graphs, table.move(NAMES, 2, #NAMES, 1, {}), "TF-default"), {
    title = "Three tasks, apart and together, equal evaluations in all but zero-shot",
    y_label = "time a step, to TF-default" })
end

print()
measure.tell(asked)
results.print_makespans("ms a step", graphs, NAMES, ORDERS)
if VARIANTS[ALL] then results.print_comparison(graphs, NAMES, ALL) end
print_less()
judge()
write_csv()
write_bars()
out.tell()
