-- A model as a pipeline: five schedules, and what each costs.
--
--   goban-cli run scripts/examples/06-pipeline.lua [GRAPH]
--
-- A graph of inference is trained.

local g = assert(graph.load(arg[1] or app.sample "transformer-xl-coarse.json"))
g = g:training() or g

print(("%-12s %9s %8s %8s %14s"):format("schedule", "time", "bubble", "alike", "peak memory"))
for _, schedule in ipairs{ "gpipe", "1f1b", "interleaved", "zero-bubble", "dualpipe-v" } do
  local run, figures = assert(
    g:pipeline{ schedule = schedule, micro_batches = 9, ranks = 3, split = true })
  local peak = 0
  for _, device in ipairs(run.cluster.devices) do
    peak = math.max(peak, run:memory(device.name).peak)
  end
  print(("%-12s %6.1f ms %6.1f %% %6.1f %% %11.2f GB"):format(schedule, run.makespan * 1e3,
    figures.bubble * 100, figures.uniform_bubble * 100, peak / 1e9))
end

-- What a pipeline runs is a graph as any other: every policy can place it, and GO improve it.
local run = assert(g:pipeline{ micro_batches = 4, split = true })
local other = sim.run(run.graph, assert(plan.critical_path(run.graph, run.cluster)))
print(("4 micro-batches: %.1f ms in stages, %.1f ms as critical-path places them"):format(
  run.makespan * 1e3, other.makespan * 1e3))

-- A slow stage may have several devices, which take the micro-batches in turn and all-reduce their
-- gradients: PipeDream's plan, beside that of one device a stage.
local once = assert(g:pipeline{ choose_stages = true, micro_batches = 24, split = true })
local copied, plan_of = assert(g:pipeline{ copies = true, micro_batches = 24, split = true })
print(("24 micro-batches: %.1f ms with a device a stage, %.1f ms with %s devices"):format(
  once.makespan * 1e3, copied.makespan * 1e3, table.concat(plan_of.stage_devices or { 1 }, ", ")))

-- Another framework can run the schedule.
local _, figures = assert(g:pipeline{ schedule = "1f1b", micro_batches = 4 })
print(figures.csv)

-- Two such pipelines side by side all-reduce their gradients, if the model has parameters.
local two = assert(g:pipeline{ schedule = "1f1b", ranks = 2, micro_batches = 4 })
local pair, of = two.graph:replicas{ n = 2, plan = two.plan, bucket = 25e6 }
if pair then
  print(("2 pipelines of 2 stages: %.1f ms with %.1f MB of gradients each, alone %.1f ms"):format(
    pair.makespan * 1e3, of.gradient_bytes / 1e6, two.makespan * 1e3))
end

-- A straggler: one device slows down. The stages may stay, or be cut anew for it, and their number
-- chosen. In the window the slider is moved by hand.
local c = cluster.preset "p100x4"
local device = c.devices[2]
local flops, bandwidth = device.flops, device.bandwidth
local kept = assert(g:pipeline{ schedule = "1f1b", micro_batches = 4, split = true, cluster = c })
local straggler = ui.slider("Speed (%)", 10, 100, 100, function(percent)
  device.flops, device.bandwidth = flops * percent / 100, bandwidth * percent / 100
  local same = sim.run(kept.graph, kept.plan, c)
  local anew, stages = assert(g:pipeline{ schedule = "1f1b", micro_batches = 4, split = true,
    choose_stages = true, cluster = c })
  print(("%s at %3d %%: %.1f ms as cut before, %.1f ms in %d stages cut anew"):format(device.name,
    percent, same.makespan * 1e3, anew.makespan * 1e3, stages.stages))
end)
straggler:set(25)
