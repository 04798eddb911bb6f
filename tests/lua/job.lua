local t = dofile "support.lua"
local folder = arg[2]

local function train(opts)
  local all = {
    every = 0, settings = "lessons=3,problems=2,validation=2,labels=10,imitations=1",
  }
  for key, value in pairs(opts) do all[key] = value end
  return job.train(all)
end

-- To the end: the report, the curve, the trials on problems that are no lessons.
local whole = assert(train{ policy = "builder", output = folder .. "/whole.net", steps = 6,
  every = 3 })
local came = assert(whole:wait())
assert(came.finished and came.step == 6 and came.steps == 6 and came.parameters > 1000)
assert(came.output == folder .. "/whole.net" and came.run == folder .. "/whole.net.run")
assert(came.score < math.huge and came.valid_best_after > 0)
assert(whole.state == "finished" and whole.fraction == 1 and whole.left == 0 and #job.list() == 0)
local curve, trials = whole:curve(), whole:trials()
assert(whole:net().file == whole.output and whole:net().network == "builder")
assert(#curve == 6 and curve[6].step == 6)
for _, point in ipairs(curve) do
  assert(point.entropy > 0 and point.top_share > 0 and point.gradient_norm > 0
    and point.valid_best == nil)
end
assert(#trials == 3 and trials[1].step == 0 and trials[3].step == 6
  and trials[3].valid_greedy > 0)
assert(whole:report():find "at last")
assert(whole:csv():find "step")
assert(tostring(whole):find "^Job training builder: finished, step 6 of 6"
  and whole.title == "training builder")

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
  every = 0, steps = 100000,
  settings = "lessons=3,problems=2,validation=2,labels=10,imitations=1",
  output = folder .. "/told.net",
  on_update = function(u, j)
    heard[#heard + 1] = u.step
    if #heard == 3 then j:stop() end
  end,
})
local ended = assert(told:wait())
assert(#heard == ended.step and #heard >= 3 and not ended.finished)
for i, step in ipairs(heard) do assert(step == i) end
assert(#told:curve(#heard) == 1 and told:curve(#heard)[1].step == #heard)
t.raises("opts.on_update: function", job.train, { on_update = 3 })

-- Mistakes: what can be known at once, at once.
t.fails("there is no family “bert” to leave out",
  assert(train{ output = folder .. "/x.net", leave_out = "bert" }):wait())
t.fails("its end can be changed", assert(train{ resume = stopped.run }):wait())
t.fails("not a training run",
  assert(job.train{ resume = folder .. "/whole.net", output = folder .. "/x.net" }):wait())
t.raises("opts.output: where", job.train, {})
t.fails("heft learns nothing beforehand", job.train{ policy = "heft", output = "x" })
t.fails("no option “leave%-out”; it is one of: builder",
  job.train{ policy = "regal", output = folder .. "/m.net", leave_out = "gnmt" })
t.raises("opts.tasks: there is no such option", job.train, { output = "x", tasks = "all" })
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
  settings = "rollouts=4,width=16,heads=2,sage=1,ffn=16" }
assert(plan.go_oneshot(small, how) and #job.trainings() == before + 1)
local learning = job.trainings()[before + 1]
local points = learning:curve()
assert(#points == 5 and points[5].step == 5 and points[1].mean_ratio >= points[1].best_ratio)
assert(learning.state == "finished" and learning.output == nil and learning:report() == nil)
assert(learning.title == "learning of go-oneshot on the graph, 1"
  and learning.what == "5 updates on the graph")
assert(learning:wait().step == 5 and plot(learning).points == 10 and learning:stop() == learning)
assert(plan.heft(small) and #job.trainings() == before + 1) -- nothing is learned
local no, why = plan.go_oneshot(small, { settings = "width=none" })
assert(no == nil and why:find "width" and #job.trainings() == before + 1)
local other = assert(plan.go_oneshot(small, how)) and job.trainings()[before + 2]
assert(plot{ learning, other }.points == 10 and other.title:find ", 2$")
for seed = 1, 10 do assert(plan.go_oneshot(small, { cluster = "p100x2", seed = seed, evals = 4,
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

-- Fine-tuning has a point for each update.
assert(plan.go_finetune(small, { cluster = "p100x2", evals = 150, settings = "updates=5" }))
local tuned = job.trainings()[#job.trainings()]
points = tuned:curve()
assert(tuned.title:find "^learning of go%-finetune" and #points == 5 and points[5].step == 5)
assert(points[1].gradient_norm > 0 and points[1].mean_ratio >= points[1].best_ratio)
t.fails("keeps no network", tuned:net())
assert(plot(tuned).points > 0)
