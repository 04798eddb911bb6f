-- Predictions held against measured iterations: GPT models that Megatron-DeepSpeed trained on 64 to
-- 512 A100, as published by VIA-Research/vTrain (data/ground_truth_multi.csv, MIT).
--
--   goban-cli run scripts/experiments/measured.lua [--quick] [OPTION...]
--
--   --data FILE   the table (default ../shared/data/vtrain/multi.csv)
--   --quick       every fourth run and four splits: ends in two minutes
--   --splits N    random splits into two halves, one to fit, one to predict (default 20)
--   --csv FILE    write a line per run here, too
--   --plot FILE   write the scatter of predicted over measured times here
--
-- Every run goes through the generator, the sharding and the simulator. Two constants are fitted to
-- one half of the runs: the shares of the peak and of the memory's bandwidth that are reached. The
-- other half is predicted. Beside it stand the data sheets alone (both shares 1), and as the
-- control FLOPs / (n x) with one fitted x, which knows nothing of parallelism.

local arguments = dofile "lib/arguments.lua"

local asked = arguments.read(arg, {
  data = "text", quick = "flag", splits = "number", csv = "text", plot = "text",
})
local path = asked.data or "../shared/data/vtrain/multi.csv"
local n_splits = asked.splits or (asked.quick and 4 or 20)

-- --- the runs ------------------------------------------------------------------------------------

local names = {
  ["Parameters (billion)"] = "parameters", ["# GPUs"] = "devices", ["global batch"] = "batch",
  ["micro batch"] = "micro_batch", ["hidden size"] = "width", ["attention heads"] = "heads",
  ["# layers"] = "layers", ["sequence length"] = "sequence", ["tensor parallelism"] = "tp",
  ["data parallelism"] = "dp", ["pipeline parallelism"] = "pp", ["iteration time (ms)"] = "ms",
}

local function read_runs()
  local text, why = app.read(path)
  if not text then error(("%s: %s"):format(path, why or "there is no such file"), 0) end
  local runs = {}
  for _, row in ipairs(assert(records.parse(text))) do
    local run = {}
    for column, name in pairs(names) do
      run[name] = row[column] or error(("%s: no column “%s”"):format(path, column), 0)
    end
    run.measured = run.ms / 1e3
    runs[#runs + 1] = run
  end
  return runs
end

-- The measured machines: 8 A100 of 80 GB on NVLink, and 200 GB/s a node that its GPUs share. What
-- fits in memory is not asked here, for every run did. Megatron-DeepSpeed computes activations of
-- layers again, and reduces gradients after the passes.
local machines = "a100x8*64,nic=200GB/s,shared"

local function simulate(runs)
  local rows = {}
  for i, run in ipairs(runs) do
    run.row = i
    rows[i] = { seconds = run.measured, model = "gpt", layers = run.layers, width = run.width,
      ffn = 4 * run.width, heads = run.heads, sequence = run.sequence, positions = run.sequence,
      vocabulary = 51200, flash = 0, dropout = 1, dtype = "f16", tp = run.tp, pp = run.pp,
      dp = run.dp, micro_batch = run.micro_batch, batch = run.batch, recompute = "full" }
  end
  local iterations = assert(cluster.iterations(records(rows):csv(), machines))
  for i, row in ipairs(iterations:rows()) do runs[i].flops = row.flops end
  return iterations
end

-- --- constants -----------------------------------------------------------------------------------

local function fit(iterations, runs)
  local rows = {}
  for i, run in ipairs(runs) do rows[i] = run.row end
  local _, fitted = assert(iterations:calibrate(rows))
  return { fitted.compute_efficiency, fitted.memory_efficiency }
end

-- The control: time = FLOPs / (devices x), with the x of the least error, a median.
local function fit_flops(runs)
  local rates = {}
  for i, run in ipairs(runs) do rates[i] = run.flops / (run.devices * run.measured) end
  table.sort(rates)
  return rates[(#rates + 1) // 2]
end

-- --- figures -------------------------------------------------------------------------------------

local function quantile(values, q)
  table.sort(values)
  return values[math.max(1, math.ceil(q * #values))]
end

local function errors_of(runs, predicted)
  local values, sum = {}, 0
  for i, run in ipairs(runs) do
    values[i] = math.abs(predicted(run) / run.measured - 1)
    sum = sum + values[i]
  end
  return { mean = sum / #values, median = quantile(values, 0.5), p90 = quantile(values, 0.9) }
end

local function ranks_of(runs, value)
  local order, ranks = {}, {}
  for i, run in ipairs(runs) do order[i] = run end
  table.sort(order, function(a, b) return value(a) < value(b) end)
  for i, run in ipairs(order) do ranks[run] = i end
  return ranks
end

local function spearman(runs, predicted)
  local a = ranks_of(runs, predicted)
  local b = ranks_of(runs, function(run) return run.measured end)
  local n, sum = #runs, 0
  for _, run in ipairs(runs) do sum = sum + (a[run] - b[run]) ^ 2 end
  return 1 - 6 * sum / (n * (n * n - 1))
end

-- How much slower than the fastest measured (t, d, p) of a model the chosen one is, on the mean.
local function regret(runs, predicted)
  local models = {}
  for _, run in ipairs(runs) do
    local model = models[run.parameters] or {}
    models[run.parameters] = model
    if not model.best or run.measured < model.best then model.best = run.measured end
    if not model.least or predicted(run) < model.least then
      model.least, model.chosen = predicted(run), run.measured
    end
  end
  local sum, n = 0, 0
  for _, model in pairs(models) do sum, n = sum + model.chosen / model.best - 1, n + 1 end
  return sum / n
end

-- --- the table -----------------------------------------------------------------------------------

local runs = read_runs()
if asked.quick then
  local some = {}
  for i = 1, #runs, 4 do some[#some + 1] = runs[i] end
  runs = some
end
local iterations = simulate(runs)

local function percent(x) return ("%.1f %%"):format(100 * x) end

local function row_of(name, of)
  return { prediction = name, mean = percent(of.mean), median = percent(of.median),
    ["90th percentile"] = percent(of.p90), Spearman = ("%.3f"):format(of.spearman),
    ["regret of (t, d, p)"] = percent(of.regret) }
end

local function judge(some, predicted)
  local of = errors_of(some, predicted)
  of.spearman, of.regret = spearman(some, predicted), regret(some, predicted)
  return of
end

-- Means over splits of what one half predicts for the other.
local function cross_validate(make)
  local sums = { mean = 0, median = 0, p90 = 0, spearman = 0, regret = 0 }
  for split = 1, n_splits do
    local random, order = math.random, {}
    math.randomseed(split)
    for i, run in ipairs(runs) do order[i] = run end
    for i = #order, 2, -1 do
      local j = random(i)
      order[i], order[j] = order[j], order[i]
    end
    local fitted, rest = {}, {}
    for i, run in ipairs(order) do
      local half = i <= #order // 2 and fitted or rest
      half[#half + 1] = run
    end
    local of = judge(rest, make(fitted))
    for key in pairs(sums) do sums[key] = sums[key] + of[key] / n_splits end
  end
  return sums
end

local function by_constants(fitted)
  local c = fit(iterations, fitted)
  return function(run) return iterations:predict(run.row, c[1], c[2]) end
end

local all = fit(iterations, runs)
print(("fitted to all %d runs: %.3f of the peak, %.3f of the memory's bandwidth"):format(#runs,
  all[1], all[2]))
local rows = records{
  row_of("simulator, fitted to the other half", cross_validate(by_constants)),
  row_of("data sheets alone", judge(runs, function(run)
    return iterations:predict(run.row, 1, 1)
  end)),
  row_of("FLOPs / (n x), x fitted to the other half", cross_validate(function(fitted)
    local rate = fit_flops(fitted)
    return function(run) return run.flops / (run.devices * rate) end
  end)),
}
print(rows:choose{ "prediction", "mean", "median", "90th percentile", "Spearman",
  "regret of (t, d, p)" }:markdown())

local function predicted_of(run) 
  return iterations:predict(run.row, all[1], all[2])
end

local by_model = {}
for _, run in ipairs(runs) do
  by_model[#by_model + 1] = {
    model = ("%g B"):format(run.parameters), tp = run.tp, dp = run.dp, pp = run.pp,
    micro_batch = run.micro_batch, measured = run.measured, predicted = predicted_of(run),
    residual = predicted_of(run) / run.measured - 1,
  }
end
local lines = records(by_model):choose{ "model", "tp", "dp", "pp", "micro_batch", "measured",
  "predicted", "residual" }
print(lines:summary{ by = "model", value = "residual" }:markdown())
if asked.csv then assert(app.write(asked.csv, lines:csv())) end
if asked.plot then
  plot.scatter(lines, { x = "measured", y = "predicted", by = "model", identity = true })
    :save(asked.plot)
end
