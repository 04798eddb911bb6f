-- Real graphs, none of them in the training of any network: profiles of PipeDream with their
-- backward times, training graphs of ONNX models, graphs of MSR, each on P100s and on equal devices
-- at a quarter to four times 10 GB/s; and Moirai's GoogLeNet, whose times are for its own devices.
-- Every policy over the best of HEFT, m-ETF and METIS.
--
--   goban-cli run scripts/experiments/real.lua [--quick] [OPTION...]
--
--   --quick          the two ONNX samples on one cluster of each kind, few evaluations
--   --data DIR       folder with pipedream, onnx, msr and moirai (../shared/data); files that are
--                    not there are left out
--   --evals N        of go-finetune, its controls and the longer runs of the others (64)
--   --seeds K        of what depends on chance (1)
--   --graphs TEXT    graphs whose name has this in it
--   --out DIR        where real.csv and the journal go (goban-out)
--   --journal FILE   another journal than DIR/real-journal.csv
--
-- It may be interrupted, and goes on from its journal when started again. A plan without enough
-- memory counts as twice as long.
local arguments = dofile "lib/arguments.lua"
local journal = dofile "lib/journal.lua"
local measure = dofile "lib/measure.lua"
local output = dofile "lib/output.lua"
local place = dofile "lib/place.lua"
local results = dofile "lib/results.lua"
local tables = dofile "lib/tables.lua"

local asked = arguments.read(arg, {
  quick = "flag", data = "text", evals = "number", seeds = "number", graphs = "text", out = "text",
  journal = "text",
})
local out = output.open(asked.out)
local kept = journal.open(asked.journal or out.path "real-journal.csv")
local root = arg[0]:match "^(.*)/scripts/experiments/" or "."
local data = asked.data or root .. "/../shared/data"

local FEW = 17
local evals = asked.evals or (asked.quick and 20 or 64)
local seeds = measure.seeds(asked, 1)

-- --- problems ------------------------------------------------------------------------------------

local TRAINED, BACKWARD, AS_IS = { training = true }, { with_backward = true }, {}
local HAS_OWN = true
local GRAPHS = {
  { "Inception-v3, sample", root .. "/samples/inception-v3.onnx", TRAINED },
  { "ResNet-50, sample", root .. "/samples/resnet-50.onnx", TRAINED },
  { "NASNet, PipeDream", data .. "/pipedream/nasnetalarge.graph.txt", BACKWARD },
  { "Inception-v3, PipeDream", data .. "/pipedream/inception_v3.graph.txt", BACKWARD },
  { "ResNet-50, PipeDream", data .. "/pipedream/resnet50.graph.txt", BACKWARD },
  { "GNMT, PipeDream", data .. "/pipedream/gnmt.graph.txt", BACKWARD },
  { "Inception-v1, ONNX", data .. "/onnx/light_inception_v1.onnx", TRAINED },
  { "Inception-v2, ONNX", data .. "/onnx/light_inception_v2.onnx", TRAINED },
  { "SqueezeNet, ONNX", data .. "/onnx/light_squeezenet.onnx", TRAINED },
  { "BERT 12 training, MSR", data .. "/msr/throughput-op-bert_l-12_training.json", AS_IS },
  { "GNMT training, MSR", data .. "/msr/throughput-layer-gnmt_training.json", AS_IS },
  { "BERT 3, MSR", data .. "/msr/latency-op-bert_l-3_inference.json", AS_IS },
  { "BERT 24, MSR", data .. "/msr/latency-layer-bert24_inference.json", AS_IS },
  { "GoogLeNet, Moirai", data .. "/moirai/googlenet.csv", AS_IS, HAS_OWN },
}
local N_SAMPLES = 2

local P100S, EQUAL, OWN = "P100s", "equal devices", "its own"
local CLUSTERS = {
  { P100S, "p100x2" }, { P100S, "p100x4" }, { P100S, "p100x8" },
  { EQUAL, "equal:4,bandwidth=2.5GB/s" }, { EQUAL, "equal:4,bandwidth=40GB/s" },
  { EQUAL, "equal:8,bandwidth=10GB/s" },
}
local OWN_CLUSTER = { { OWN } } -- that of the file

local function is_wanted(i, name)
  return (not asked.quick or i <= N_SAMPLES)
    and (not asked.graphs or name:find(asked.graphs, 1, true))
end

-- The graphs that are there, each with its clusters.
local function problems()
  local list = {}
  for i, entry in ipairs(GRAPHS) do
    local name, path, options, has_own = table.unpack(entry)
    local g, why
    if is_wanted(i, name) then g, why = graph.load(path, options) end
    if why then print(("left out: %s (%s)"):format(name, why)) end
    for k, pair in ipairs(g and (has_own and OWN_CLUSTER or CLUSTERS) or {}) do
      if not asked.quick or k % 3 == 1 then
        list[#list + 1] = { name = name, graph = g, kind = pair[1], cluster = pair[2] }
      end
    end
  end
  return list
end

-- --- measuring -----------------------------------------------------------------------------------

-- { name, policy, evaluations (nil: it makes none), settings, whether chance has no part in it }
local WAYS = {
  { "heft", "heft" }, { "m-etf", "m-etf" }, { "metis", "metis" }, { "expert", "expert" },
  { "cells", "cells", FEW }, { "cells, longer", "cells", evals },
  { "go-zeroshot", "go-zeroshot", FEW }, { "go-zeroshot, longer", "go-zeroshot", evals },
  { "go-finetune", "go-finetune", evals },
  { "nothing learned", "go-finetune", evals, "rate=0" },
  { "go-one", "go-one", evals },
  { "hand-set weights", "go-finetune", evals, "proposals=hand" },
  { "uniform moves", "go-finetune", evals, "proposals=uniform" },
  { "moves from cells", "go-finetune", evals, "start=cells" },
}
local HEURISTICS = { "heft", "m-etf", "metis" }
local rows = {}

-- Geometric mean over the seeds, a plan without enough memory counted twice; nil without a plan.
local function makespan_of(problem, way)
  local name, policy_name, n, settings = table.unpack(way)
  local values = {}
  for seed = 0, (n and seeds or 1) - 1 do
    local key = place.key(problem.name, problem.cluster or OWN, policy_name, n or "",
      settings or "", seed)
    local cell = kept.get(key, function()
      return (place.run(problem.graph, policy_name,
        { cluster = problem.cluster, evals = n, settings = settings, seed = seed }))
    end)
    rows[#rows + 1] = { graph = problem.name, cluster = problem.cluster or OWN, way = name,
      seed = seed, valid = tostring(cell.valid), makespan_s = cell.makespan, why = cell.why }
    if not cell.makespan then return nil end
    values[#values + 1] = cell.makespan * (cell.valid and 1 or 2)
  end
  return statistics.geometric(values)
end

local function measure_problem(problem)
  local best
  problem.by_name = {}
  for _, way in ipairs(WAYS) do
    problem.by_name[way[1]] = makespan_of(problem, way)
  end
  for _, name in ipairs(HEURISTICS) do
    local found = problem.by_name[name]
    if found and (not best or found < best) then best = found end
  end
  problem.best = best
  print(("%-26s %-28s go-finetune %s of the best heuristic"):format(problem.name,
    problem.cluster or OWN, tables.number(results.over(problem.by_name["go-finetune"], best))))
end

local list = problems()
for _, problem in ipairs(list) do measure_problem(problem) end

-- --- tables --------------------------------------------------------------------------------------

local function mean_over_best(name, is_counted)
  local values = {}
  for _, problem in ipairs(list) do
    if is_counted(problem) then
      values[#values + 1] = results.over(problem.by_name[name], problem.best)
    end
  end
  return results.geometric_text(values), #values
end

local function of_kind(kind)
  return function(problem) return problem.kind == kind end
end

-- On how many problems a plan is longer than the expert's.
local function n_behind(name)
  local n = 0
  for _, problem in ipairs(list) do
    local ratio = results.over(problem.by_name[name], problem.by_name.expert)
    if ratio and ratio > 1 + 1e-4 then n = n + 1 end
  end
  return tostring(n)
end

local function print_means()
  local shown, counts = {}, {}
  for _, way in ipairs(WAYS) do
    local line = { way[1], way[3] and tostring(way[3]) or "" }
    for k, kind in ipairs{ P100S, EQUAL, OWN } do
      line[k + 2], counts[k] = mean_over_best(way[1], of_kind(kind))
    end
    line[6] = n_behind(way[1])
    shown[#shown + 1] = line
  end
  tables.print("Over the best of HEFT, m-ETF and METIS, geometric means; ± is half the 95 % "
    .. "interval",
    { "", "evaluations", P100S, EQUAL, OWN, "behind the expert" }, shown,
    ("problems: %s; seeds: %d"):format(table.concat(counts, ", "), seeds))
end

local function print_graphs()
  local shown, seen = {}, {}
  for _, problem in ipairs(list) do
    if not seen[problem.name] then
      seen[problem.name] = true
      local function of_graph(other) return other.name == problem.name end
      shown[#shown + 1] = { problem.name, (mean_over_best("go-zeroshot", of_graph)),
        (mean_over_best("go-finetune", of_graph)), (mean_over_best("uniform moves", of_graph)),
        (mean_over_best("cells, longer", of_graph)) }
    end
  end
  tables.print("The same by graph, all clusters",
    { "graph", "go-zeroshot", "go-finetune", "uniform moves", "cells, longer" }, shown)
end

if #list == 0 then error("there is no graph to measure; --data names their folder", 0) end
print()
measure.tell(asked)
print_means()
print_graphs()
out.csv("real.csv", { "graph", "cluster", "way", "seed", "valid", "makespan_s", "why" }, rows)
out.tell()
