local t = dofile "support.lua"
local folder = arg[2]

local suite = folder .. "/small.json"
assert(app.write(suite, [[{"about": "three small ones", "graphs": [
  {"name": "a", "graph": "rnnlm:granularity=coarse,layers=3",
   "placement": "p100x2", "joint": "v100x2"},
  {"name": "b", "graph": "wavenet:granularity=coarse,layers=4", "placement": "p100x4"},
  {"name": "c", "graph": "gnmt:granularity=coarse,steps=2,layers=1", "placement": "p100x2"}]}]]))

local function train(opts)
  local all = {
    suite = suite, leave_out = "gnmt", rollouts = 2, rows = 16, every = 0,
    settings = "width=16,heads=2,sage=1,ffn=16,graphs=2,batch-steps=2",
  }
  for key, value in pairs(opts) do all[key] = value end
  return job.train(all)
end

-- To the end: the report, the curve, the trials on what was left out.
local whole = assert(train{ policy = "go", output = folder .. "/whole.net", steps = 6, every = 3 })
local came = assert(whole:wait())
assert(came.finished and came.step == 6 and came.steps == 6 and came.parameters > 1000)
assert(came.output == folder .. "/whole.net" and came.run == folder .. "/whole.net.run")
assert(whole.state == "finished" and whole.fraction == 1 and whole.left == 0 and #job.list() == 0)
local curve, trials = whole:curve(), whole:trials()
local best = whole:best()
for _, trial in ipairs(trials) do
  assert(best.expert_ratio <= trial.expert_ratio * (1 + 1e-9))
  if trial.step == best.step then
    assert(math.abs(best.expert_ratio / trial.expert_ratio - 1) < 1e-9)
  end
end
assert(whole:net().file == whole.output and whole:net().network == "go")
assert(#curve == 6 and curve[6].step == 6 and curve[1].graph ~= curve[2].graph)
for _, point in ipairs(curve) do
  assert(not point.graph:find "gnmt" and point.mean_ratio >= point.best_ratio and point.entropy > 0)
  assert(point.seconds > 0 and point.valid == 1 and point.gradient_norm > 0)
end
assert(#trials == 3 and trials[1].step == 0 and trials[3].step == 6
  and trials[1].graph:find "^gnmt")
assert(trials[1].expert_ratio == came.expert_ratio_before
  and trials[3].expert_ratio == came.expert_ratio_after)
assert(plot(curve).kind == "lines" and tostring(plot(curve)):find "mean_ratio, 6 points")
assert(plot(whole).points == 12 and plot(trials):csv():find "gnmt")
assert(whole:csv():find "^kind,step,graph,mean_ratio" and whole:report():find "none of gnmt")
assert(tostring(whole):find "^Job training go: finished, step 6 of 6"
  and whole.title == "training go")

-- Held, it stays where it is; ended, it saves; gone on with, it ends as the whole one did.
local first = assert(train{ output = folder .. "/parts.net", steps = 100000 })
assert(#job.list() == 1 and tostring(job.list()[1]) == tostring(first))
while #first:curve() < 3 do first:wait(0.001) end
assert(first:pause() == first and first.state == "paused")
-- The step that was under way may still end, and no other.
local n = #first:curve()
for _ = 1, 5 do assert(first:wait(0.02) == false and first:report() == nil) end
assert(#first:curve() <= n + 1)
n = n + 1
assert(first:resume().state == "running")
while #first:curve() <= n do first:wait(0.001) end
local stopped = assert(first:stop():wait())
assert(not stopped.finished and stopped.step >= n and first.state == "stopped")

local made = stopped.step
local second = assert(job.train{ resume = stopped.run, steps = made + 2 })
local rest = assert(second:wait())
assert(rest.finished and rest.step == made + 2 and rest.output == folder .. "/parts.net")
assert(#second:curve() == made + 2)

-- Whoever waits hears of each update, once and in order, and may end the training by it.
local heard = {}
local told = assert(policy.train{
  suite = suite, leave_out = "gnmt", rollouts = 2, rows = 16, every = 0, steps = 100000,
  settings = "width=16,heads=2,sage=1,ffn=16,graphs=2,batch-steps=2",
  output = folder .. "/told.net",
  on_update = function(u, j)
    heard[#heard + 1] = u.step
    assert(u.mean_ratio >= u.best_ratio)
    if #heard == 3 then j:stop() end
  end,
})
local ended = assert(told:wait())
assert(#heard == ended.step and #heard >= 3 and not ended.finished)
for i, step in ipairs(heard) do assert(step == i) end
assert(#told:curve(#heard) == 1 and told:curve(#heard)[1].step == #heard)
t.raises("opts.on_update: function", job.train, { on_update = 3 })

-- A network to begin with, and one for other tasks.
assert(assert(train{ output = folder .. "/from.net", from = folder .. "/whole.net",
  steps = 1 }):wait())
assert(assert(train{ output = folder .. "/list.net", leave_out = { "gnmt", "wavenet" },
  steps = 1 }):wait())

-- Mistakes: what can be known at once, at once.
t.fails("there is no family “bert” to leave out",
  train{ output = folder .. "/x.net", leave_out = "bert" })
t.fails("there is no suite “nix”", train{ output = folder .. "/x.net", suite = "nix" })
t.fails("there is no preset “best”", train{ output = folder .. "/x.net", preset = "best" })
t.fails("has no cluster for the task joint", train{ output = folder .. "/x.net", tasks = "all" })
t.fails("its end can be changed", assert(train{ resume = stopped.run }):wait())
t.fails("not a training run",
  assert(job.train{ resume = folder .. "/whole.net", output = folder .. "/x.net" }):wait())
t.raises("opts.output: where", job.train, {})
t.fails("heft learns nothing beforehand", job.train{ policy = "heft", output = "x" })
t.fails("no option “tasks”; it is one of: go",
  job.train{ policy = "moves", output = folder .. "/m.net", tasks = "all" })

-- The other networks, with series of their own.
local builder = assert(job.train{ policy = "builder", output = folder .. "/builder.net", steps = 4,
  every = 2, settings = "lessons=3,validation=2,labels=10,imitations=1" })
came = assert(builder:wait())
assert(came.finished and came.step == 4 and came.score < math.huge and came.valid_best_after > 0)
local points, trials = builder:curve(), builder:trials()
assert(#points == 4 and points[4].top_share > 0 and points[4].valid_best == nil)
assert(#trials == 3 and trials[1].step == 0 and trials[3].valid_greedy > 0)
assert(builder:report():find "at last")
local moves = assert(job.train{ policy = "moves", output = folder .. "/moves.net", steps = 2,
  every = 2, settings = "lessons=2,validation=2,evaluations=4,labels=4" })
came = assert(moves:wait())
assert(came.finished and #moves:curve() == 2 and moves:curve()[2].error >= 0)
assert(#moves:trials() == 1)
t.raises("opts.leave_out%[1%]: string expected", job.train, { output = "x", leave_out = { 3 } })
t.raises("opts.leave_out: string or list", job.train, { output = "x", leave_out = 3 })
t.raises("bad argument #1 to 'train' %(table expected", job.train)
t.raises("opts.step: there is no such option", job.train, { output = "x", step = 3 })
local failed = assert(job.train{ resume = folder .. "/none.run" })
t.fails("none.run", failed:wait())
assert(failed.state == "failed" and failed:report() == nil)

-- A policy that learns on the graph that it places has a curve as a training has: a point for each
-- update of four plans, and one evaluation more after every fourth update.
local small = graph.generate "synthetic:seed=3,nodes=30"
local before = #job.trainings()
local how = { cluster = "p100x2", evals = 21,
  settings = "direct=1,start=nothing,rollouts=4,width=16,heads=2,sage=1,ffn=16" }
assert(plan.go(small, how) and #job.trainings() == before + 1)
local learning = job.trainings()[before + 1]
local points = learning:curve()
assert(#points == 5 and points[5].step == 5 and points[1].mean_ratio >= points[1].best_ratio)
assert(learning.state == "finished" and learning.output == nil and learning:report() == nil)
assert(learning.title == "learning of go on the graph, 1"
  and learning.what == "5 updates on the graph")
assert(learning:wait().step == 5 and plot(learning).points == 10 and learning:stop() == learning)
assert(plan.heft(small) and #job.trainings() == before + 1) -- nothing is learned
local no, why = plan.go(small, { settings = "width=none" })
assert(no == nil and why:find "width" and #job.trainings() == before + 1)
local other = assert(plan.go(small, how)) and job.trainings()[before + 2]
assert(plot{ whole, learning, other }.points == 16 and other.title:find ", 2$")
for seed = 1, 10 do assert(plan.go(small, { cluster = "p100x2", seed = seed, evals = 4,
  settings = how.settings })) end
assert(#job.trainings() == before + 8) -- only the last ones stay

-- Policies with a learning rule of their own, too; what they do not measure is nil.
for name, evals in pairs{ hdp = 12, placeto = 600, post = 25 } do
  local plain = assert(plan[name](small, { cluster = "p100x2", evals = evals }))
  local list = job.trainings()
  local rule = list[#list]
  points = rule:curve()
  assert(rule.title:find("^learning of " .. name))
  assert(#points >= 1 and points[#points].step == #points)
  assert(points[1].entropy > 0 and points[1].top_share > 0 and points[1].reward)
  assert(points[1].valid == 1 and (points[1].clipped == nil) == (name ~= "post"))
  assert((points[1].gradient_norm == nil) == (name == "post"))
  assert(rule:csv():find "^kind,step,graph,mean_ratio" and plot(rule).points >= #points)
  assert(name ~= "hdp" or #points == 3) -- four plans an update
  assert(name ~= "post" or #points == 3) -- ten plans an update
  local again = assert(plan[name](small, { cluster = "p100x2", evals = evals }))
  assert(sim.run(again).makespan == sim.run(plain).makespan)
end

-- A search that learns which moves improve its plan has columns of its own.
assert(plan.go_finetune(small, { cluster = "p100x2", evals = 100, settings = "start=cells" }))
local tuned = job.trainings()[#job.trainings()]
points = tuned:curve()
assert(tuned.title:find "^learning of go%-finetune" and #points >= 4)
assert(points[#points].step == #points)
assert(points[1].error >= 0 and points[1].mean_ratio >= points[1].best_ratio)
local least = math.huge
for _, point in ipairs(points) do least = math.min(least, point.best_ratio) end
assert(tuned:best().best_ratio == least)
t.fails("keeps no network", tuned:net())
assert(points[1].own_turns >= 0 and points[1].gradient_norm == nil and plot(tuned).points > 0)
