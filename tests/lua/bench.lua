local t = dofile "support.lua"
local toy, folder = arg[1], arg[2]

local suite = folder .. "/toys.json"
assert(app.write(suite, ([[{"about": "two toys", "graphs": [
  {"name": "two", "graph": "%s", "placement": "p100x2", "joint": "v100x2"},
  {"name": "four", "graph": "%s", "placement": "p100x4"}]}]]):format(toy, toy)))

local names = bench.suites()
assert(names[1] == "go14" and names[2] == "llm" and names[3] == "quick")

-- A graph at a time, or all at once with somebody to tell.
local b = assert(bench.new{ suite = suite, policies = { "heft", "single" } })
assert(#b == 0 and b.n_graphs == 2 and b.suite == "toys" and #b.policies >= 2)
assert(tostring(b):find "^Bench toys: 0 of 2 graphs")
t.raises("nothing is measured yet", b.text, b)
local row = assert(b:step())
assert(row.name == "two" and row.cluster == "p100x2" and row.nodes == 12 and row.bound == 1070e-6)
assert(#b == 1 and b:step().name == "four" and b:step() == nil)

local heard = {}
local all = assert(bench.run{
  suite = suite, policies = { "heft", "single" },
  on_row = function(r, so_far) heard[#heard + 1] = r.name .. #so_far end,
})
assert(table.concat(heard, " ") == "two1 four2")
local function result(r, policy)
  for _, one in ipairs(r.results) do
    if one.policy == policy then return one end
  end
end
local heft, single = result(all:rows()[1], "heft"), result(all:rows()[1], "single")
assert(heft.makespan == 1070e-6 and heft.valid and heft.state == "valid" and heft.why == "")
assert(heft.ratio_to_bound == 1 and single.ratio_to_bound > 1.6 and heft.evaluations == 1)
assert(heft.best_evaluation == 1 and #heft.improvements == 1 and #heft.improvements[1] == 1)
assert(heft.improvements[1][1].evaluation == 1
  and heft.improvements[1][1].makespan == heft.makespan)
local mean = all:means()[#all:means()]
assert(mean.policy == "single" and mean.valid == 2 and mean.makespan < 1811e-6)
assert(all:text():find "makespan %[ms%]" and all:csv():find "^name,graph" and all:json():find "^{")

-- Every seed by itself.
local seeds = result(assert(bench.run{ suite = suite, policies = { "random" }, graphs = "two",
  seed = 3, seeds = 2 })
  :rows()[1], "random").seeds
assert(#seeds == 2 and seeds[1].seed == 3 and seeds[2].seed == 4 and seeds[1].evaluations == 1)
assert(seeds[1].valid and seeds[1].why == "" and seeds[1].makespan > 1070e-6
  and seeds[1].seconds >= 0)

-- One graph, one task, a journal that is gone on with.
local journal = folder .. "/toys.jsonl"
local opts = { suite = suite, policies = { "random" }, graphs = "two", task = "joint",
  seed = 3, seeds = 2,
  journal = journal }
local first = assert(bench.run(opts)):csv()
collectgarbage() -- lets go of the file
assert(assert(bench.run(opts)):csv() == first)

-- Other settings and another network are other cells, the network by what is in it.
local network = folder .. "/a.net"
local function lines()
  collectgarbage()
  return select(2, app.read(journal):gsub("\n", ""))
end
local before = lines()
opts.settings = "credit=0"
assert(bench.run(opts) and lines() == 2 * before)
opts.settings, opts.network = nil, network
t.fails("a%.net", bench.run(opts))
assert(app.write(network, "one") and bench.run(opts) and lines() == 3 * before)
assert(bench.run(opts) and lines() == 3 * before)
assert(app.write(network, "two") and bench.run(opts) and lines() == 4 * before)
opts.network = nil

-- What GO decides: the others take no notice, and a journal keeps the settings apart.
collectgarbage()
opts.tasks = "scheduling,placement"
local third = assert(bench.run(opts)):csv()
assert(third:find('joint,"placement,scheduling",,v100x2', 1, true)
  and first:find("joint,placement,,v100x2", 1, true))

-- A search's curve goes down to what it found.
local searched = assert(bench.run{ suite = suite, graphs = "four", policies = { "anneal" },
  evals = 40, seeds = 2 })
local found = result(searched:rows()[1], "anneal")
assert(#found.improvements == 2 and found.best_evaluation <= 40)
for _, curve in ipairs(found.improvements) do
  for i = 2, #curve do
    assert(curve[i].evaluation > curve[i - 1].evaluation
      and curve[i].makespan < curve[i - 1].makespan)
  end
end

-- Mistakes: values where files and names are at fault, errors where the call is.
t.fails("there is no suite “nix”", bench.run{ suite = "nix" })
t.fails("there is no policy “heffed”", bench.run{ suite = suite, policies = { "heffed" } })
t.fails("no graph is called", bench.run{ suite = suite, graphs = "nobody" })
t.fails("there is no task", bench.run{ suite = suite, task = "all" })
t.fails("has no cluster for the task joint", bench.run{ suite = suite, task = "joint" })
t.fails("joint", bench.run{ suite = suite, tasks = "joint" })
t.raises("opts.suite: which", bench.run, {})
t.raises("table expected", bench.run, "quick")
t.raises("opts.policies%[1%]: string expected", bench.run, { suite = suite, policies = { 3 } })
t.raises("opts.polices: there is no such option", bench.run, { suite = suite, polices = {} })
