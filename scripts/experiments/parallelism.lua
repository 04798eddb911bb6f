-- Search over the ways to train a model on a cluster: tensor, pipeline and data parallelism, the
-- micro-batch, the schedule, recomputation and ZeRO, with the reason of every point that cannot be.
--
--   goban-cli run scripts/experiments/parallelism.lua [--quick] [OPTION...]
--
--   --model SPEC    what is trained (default llama:size=llama-3-8b)
--   --cluster SPEC  on what (default h100x8*2)
--   --batch N       samples of a step (default 256)
--   --quick         one schedule and no ZeRO: ends in a minute
--   --best N        rows of the table (default 10)
--   --journal FILE  keep every point here, and go on with what is there already
--   --csv FILE      write all points here, too
--   --plot FILE     write the picture of time and memory here
--
-- All devices of the cluster work. The second table is the Pareto front: no other point takes less
-- time and less memory. Its points are opened as runs.

local arguments = dofile "lib/arguments.lua"

local asked = arguments.read(arg, {
  model = "text", cluster = "text", batch = "number", quick = "flag", best = "number",
  journal = "text", csv = "text", plot = "text",
})
local model = asked.model or "llama:size=llama-3-8b"
local machines = cluster.preset(asked.cluster or "h100x8*2")
local batch = asked.batch or 256
local n_devices = #machines.devices

local function divisors(n)
  local list = {}
  for i = 1, n do
    if n % i == 0 then list[#list + 1] = i end
  end
  return list
end

-- The graph of a rank is the same for many points.
local graphs = {}
local function graph_of(tp, micro_batch)
  local spec = ("%s%stp=%d,batch=%d"):format(model, model:find ":" and "," or ":", tp, micro_batch)
  graphs[spec] = graphs[spec] or graph.generate(spec)
  return graphs[spec]
end

local function train(p)
  return graph_of(p.tp, p.micro_batch):parallel{
    pp = p.pp, dp = n_devices // (p.tp * p.pp), micro_batch = p.micro_batch, batch = batch,
    schedule = p.schedule, recompute = p.recompute, zero = p.zero, sp = p.tp > 1,
    cluster = machines,
  }
end

local function point_of(p)
  if n_devices % (p.tp * p.pp) ~= 0 then
    error(("%d devices are no multiple of tp %d x pp %d"):format(n_devices, p.tp, p.pp), 0)
  elseif p.pp == 1 and p.schedule ~= "1f1b" then
    error(("%s is 1f1b with one stage"):format(p.schedule), 0)
  end
  local run, figures = train(p)
  local memory = 0
  for _, rank in ipairs(figures.memory) do
    memory = math.max(memory, rank.weights + rank.gradients + rank.optimizer + rank.activations)
  end
  if not run.valid then error(run:why(), 0) end
  return { dp = n_devices // (p.tp * p.pp), time = run.makespan, memory = memory / 1e9,
    use = figures.utilisation, idle = figures.bubble, collectives = figures.collective_share }
end

local points = sweep{
  tp = divisors(math.min(n_devices, 8)), pp = divisors(n_devices),
  micro_batch = { 1, 2, 4, 8 },
  schedule = asked.quick and { "1f1b" } or { "1f1b", "interleaved", "zero-bubble" },
  recompute = { "none", "selective", "full" },
  zero = asked.quick and { 0 } or { 0, 1 },
  journal = asked.journal, run = point_of,
}

local found = points:filter(function(row) return row.time ~= nil end)
local columns = { "tp", "pp", "dp", "micro_batch", "schedule", "recompute", "zero", "time",
  "memory", "use", "idle", "collectives" }
local best = {}
for i, row in ipairs(found:sort "time") do
  if i <= (asked.best or 10) then best[i] = row end
end
print(("%s on %s, batch %d: %d of %d points can be"):format(model, machines.name, batch, #found,
  #points))
print("time in seconds, memory of the fullest device in GB, shares of the peak and of the time")
print(records(best):choose(columns):text())
local front = records(found:pareto{ "time", "memory" }):sort("time")

-- The front's rows carry their runs, which open by a click; the fastest is shown, beside the one of
-- the least memory.
for _, row in ipairs(front) do row.run = assert(train(row)) end
view.derive(front[1].run)
if #front > 1 then compare.show(front[#front].run, front[1].run) end
show(front:choose(columns))

-- Why the others cannot be, the most frequent reason first.
local reasons, order = {}, {}
for _, row in ipairs(points) do
  if row.error then
    local example = tostring(row.error):gsub("; the largest.*", "")
    local reason = example:match "runs out of memory" or example:gsub("%d[%d.,]*", "N")
    if not reasons[reason] then
      reasons[reason] = { n = 0, example = example }
      order[#order + 1] = reason
    end
    reasons[reason].n = reasons[reason].n + 1
  end
end
table.sort(order, function(a, b)
  return reasons[a].n > reasons[b].n or reasons[a].n == reasons[b].n and a < b
end)
for _, reason in ipairs(order) do
  print(("%4d cannot be, such as: %s"):format(reasons[reason].n, reasons[reason].example))
end

if asked.csv then assert(app.write(asked.csv, points:csv())) end
if asked.plot then
  plot.scatter(found, { x = "memory", y = "time", by = "recompute", log = "xy" }):save(asked.plot)
end
