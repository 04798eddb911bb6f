local t = dofile "support.lua"
local folder = arg[2]
local FEW = "lessons=3,problems=2,rollouts=3,labels=5,imitations=1,validation=2,every=3"

local function make(opts)
  local all = { settings = FEW, steps = 3, seed = 5 }
  for key, value in pairs(opts) do all[key] = value end
  return policy.trainer(all)
end

-- Step by step, the same files as of the job, whose folder is made.
local whole = assert(policy.train{ policy = "builder", settings = FEW, steps = 3, seed = 5,
  output = folder .. "/new/whole.net" })
local report = assert(whole:wait())
local own = assert(make{ output = folder .. "/own.net" })
assert(tostring(own) == "Trainer of builder, step 0" and own.policy == "builder")
local first = assert(own:update())
assert(first.step == 1 and first.reward == whole:curve()[1].reward)
local rollouts = assert(own:rollouts())
assert(#rollouts == 2 * 3 and own:rollouts() == rollouts)
for _, r in ipairs(rollouts) do
  assert(r.time > 0 and r.reference > 0 and r.entropy >= 0 and r.lesson:find "^synthetic:")
end
assert(own:evaluate().step == 1 and rollouts[1].plan:check() == true)
assert(own:save(folder .. "/half.net"))
assert(own:update(2).step == 3 and own:update() == nil and own.step == 3)
t.raises("has learned from this rollout", function() return rollouts[1].plan end)
assert(own:net().file == own.output)
assert(tostring(own:curve()):find "^step%s+graph%s+" and own:trials():csv():find "^step,graph,")
assert(plot(whole).points > 6) -- a job's, too
assert(#own:curve() == 3 and #own:trials() == 2 and own:csv() == whole:csv())
own:close()
local rest = assert(policy.trainer{ resume = folder .. "/half.net.run" })
assert(rest:update(2).step == 3 and rest:update() == nil and rest:csv() == own:csv())

-- Rewards of one's own, from a function or set by hand, are what it learns from.
local n = 0
local PLAIN = FEW:gsub("imitations=1,", "")
local by_function = assert(make{ output = folder .. "/a.net", settings = PLAIN, reward = function(r)
  n = n + 1
  return -r.time / r.reference
end })
assert(by_function.output == folder .. "/a.net")
local row = assert(by_function:update())
assert(n == 6 and row.imitates == 0 and row.reward < 0)
local by_hand = assert(make{ output = folder .. "/b.net",
  settings = "imitations=0," .. PLAIN })
for _, r in ipairs(by_hand:rollouts()) do r.reward = -r.time / r.reference end
assert(by_hand:update().gradient_norm == row.gradient_norm and #by_hand:rollouts() == 6)
local plain = assert(make{ output = folder .. "/c.net", settings = "imitations=0," .. PLAIN })
assert(plain:update().gradient_norm ~= row.gradient_norm)

-- Lessons of one's own, from a function or a list.
local g, asked = graph.generate "rnnlm:granularity=coarse,layers=2", {}
local taught = assert(make{ lessons = function(i)
  asked[#asked + 1] = i
  return g, "p100x2"
end })
assert(taught.output:find "^goban%-out/builder%-own%-lessons" == 1)
local r = taught:rollouts()[4]
assert(r.lesson:find "^rnnlm" and r.lesson:find " on p100x2$")
assert(#r.plan.graph:nodes() == #g:nodes())
assert(taught:update(2).step == 2 and #asked == 4 and asked[4] == 4)

-- With lessons of one's own the network that it keeps is the present one, unless validation is
-- one's own, too.
local function sureness(file)
  local p = assert(plan.go_zeroshot(g, { network = file, evals = 1, cluster = "p100x4" }))
  local sum = 0
  for _, m in ipairs(sim.run(p).decisions) do sum = sum + (m.entropy or 0) end
  return sum
end
local start = folder .. "/start.net"
assert(taught:save(start) and taught:update().step == 3)
assert(sureness(assert(taught:net()).file) ~= sureness(start))
assert(sureness(assert(taught:kept()).file) == sureness(taught.output))
assert(taught:kept().file == (taught.output:gsub("%.net$", "-kept.net")))
local told = taught:report()
assert(told.kept_step == 3 and not told.kept_start and told.finished and told.score)
local judged = assert(make{ lessons = { { g, "p100x2" } }, validation = { { g, "p100x4" } },
  reward = function(r) return r.time / r.reference end, -- gets worse
  output = folder .. "/judged.net", every = 1, steps = 12,
  settings = "lessons=3,problems=2,rollouts=3,validation=2,rate=0.2" })
assert(judged:save(start) and judged:update(12).step == 12)
told = judged:report()
assert(#judged:trials() == 13 and told.score <= told.score_before)
assert(told.kept_start == (told.kept_step == 0))
assert(told.kept_start and sureness(judged:kept().file) == sureness(start))
assert(sureness(judged:net().file) ~= sureness(start))
assert(judged.warning:find "gets worse" or judged.warning:find "collapsed", judged.warning)
judged:close()
t.raises("opts.validation%[1%]: a graph and a cluster expected, got number", policy.trainer,
  { validation = { 3 } })
t.raises("opts.validation: the list is empty", policy.trainer, { validation = {} })

-- Rewards that never differ teach nothing, which is said.
local flat = assert(make{ reward = function() return 1 end, steps = 10, every = 10,
  settings = "problems=1,rollouts=2,validation=1", output = folder .. "/flat.net" })
assert(flat:update(9) and not flat.warning)
assert(flat:update() and flat.warning:find "learns nothing")
flat:close()

local listed = assert(make{
  lessons = { { g, "p100x2" }, { graph = g, cluster = cluster.preset "p100x4" } },
})
assert(listed.output ~= taught.output)
r = listed:rollouts()
assert(r[1].lesson:find "p100x2$" and r[6].lesson:find "p100x4$")

-- Networks as one sees them.
local networks = policy.networks()
assert(#networks >= 4 and networks[1].name == "builder" and networks[1].shipped)
assert(networks[1].parameters == 32025 and networks[1].updates == 2700)
assert(networks[3].network == "regal")
local mine
for _, network in ipairs(networks) do if network.file == own.output then mine = network end end
assert(mine and not mine.shipped and mine.updates == 3 and mine.policy == "go-zeroshot")
assert(mine.trained_on == "3 random networks" and mine.score == report.score)
assert(policy.load(mine.file).parameters == mine.parameters)
t.fails("none.net", policy.load(folder .. "/none.net"))
app.write(folder .. "/text.net", "no network")
t.fails("text.net", policy.load(folder .. "/text.net"))
assert(#policy.networks() == #networks)
assert(app.use_network(mine.file).name == mine.name and app.use_network() == true)
t.fails("text.net", app.use_network(folder .. "/text.net"))

-- Networks of earlier updates.
local film = policy.film(own.output)
assert(#film == 4 and film[1].step == 0 and film[4].step == 3 and #policy.film "none.net" == 0)
local before = plan.go_zeroshot(g, { network = film[1].file, evals = 1, cluster = "p100x2" })
assert(before:check() and policy.load(film[4].file).network == "builder")

-- As a film of the open graph's plans; without an open graph, of a run's graph.
do
  local path = folder .. "/training.apng"
  local opts = { training = own.output, width = 160, height = 160 }
  assert(sim.run(before):film(path, opts) == path)
  t.fails("has no film", sim.run(before):film(path, { training = folder .. "/none.net" }))
  opts.steps = true
  t.raises("a film is of runs, of steps or of a training", view.film, path, opts)
end

-- Several trainings in one plot.
local both = job.trainings()
assert(#both >= 7 and both[1].output == report.output and both[1].state == "finished")
local lines = assert(plot{ both[1], own })
assert(lines.kind == "lines" and lines.points == 6 and tostring(lines):find "own.net")
assert(plot({ both[1], own }, { y = "valid_best" }).points == 4 and plot(own).points > 6)
t.fails("a list of trainings expected, got number at 2", plot{ own, 3 })

-- Mistakes name the place.
local function fails(pattern, opts)
  opts.output = folder .. "/x.net"
  local trainer = assert(make(opts))
  t.raises(pattern, trainer.update, trainer)
  trainer:close()
end
fails("trainer.lua:%d+: attempt to perform arithmetic", { reward = function() return nil + 1 end })
fails("opts.reward %(.*trainer.lua:%d+%): a finite number expected, got nil",
  { reward = function() end })
fails("a finite number expected, got %-?nan", { reward = function() return 0 / 0 end })
fails("opts.lessons %(.*trainer.lua:%d+%): a graph and a cluster expected, got number",
  { lessons = function() return 3 end })
fails("opts.lessons%[1%]: a cluster expected after the graph, got table",
  { lessons = { { g, {} } } })
t.raises("opts.reward: function", policy.trainer, { reward = 3 })
t.raises("opts.lessons: the list is empty", policy.trainer, { lessons = {} })
t.raises("trainer.lua:%d+: opts.nix: there is no such option; there are: lessons reward validation",
  function() local _ = policy.trainer{ nix = 3 } end)
t.fails("“validation=0”: validation is a whole number from 1 to 10000",
  policy.trainer{ settings = "validation=0" })
t.fails("regal learns in one go", policy.trainer{ policy = "regal", output = folder .. "/r.net" })
local moves = assert(policy.trainer{ policy = "moves", output = folder .. "/m.net", steps = 1,
  settings = "lessons=2,validation=2,evaluations=4,labels=4" })
t.fails("the training of moves keeps its lessons", moves:rollouts())
assert(moves:update().step == 1 and moves:update() == nil)
moves:close()
t.fails("^the training has ended$", moves:update()) -- at once
rest:close()
t.fails("^the training has ended$", rest:save())
