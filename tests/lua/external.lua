-- external.lua: policies of other programs, in a trusted script: external.lua GRAPH AGENT FOLDER.
local t = dofile "support.lua"
local g, agent = assert(graph.load(arg[1])), arg[2]

t.raises("opts.timout: there is no such key", policy.external, "ext", { agent }, { timout = 3 })
t.raises("opts.evals: number expected, got string", policy.external, "ext", { agent },
  { evals = "3" })
t.raises("opts.evals: whole number from 0", policy.external, "ext", { agent }, { evals = 0.5 })
t.raises("opts.timeout: seconds from 0", policy.external, "ext", { agent }, { timeout = 0 })
t.raises("a list of the program", policy.external, "ext", {})
t.raises("its arguments are texts", policy.external, "ext", { agent, {} })
t.raises("external.lua:%d+: bad argument #2 to 'external' %(a list of the program", function()
  policy.external("ext", {})
end)
t.raises("plan.heft is there already", policy.external, "heft", { agent })
t.raises("a program decides placement and scheduling", policy.external, "ext", { agent },
  { tasks = "all" })

local n = tostring(#g)
policy.external("ext", { agent, "plan", n })
local p = assert(plan.ext(g, { cluster = "p100x2" }))
assert(p.policy == "ext" and tostring(policy.get "ext") == "Policy ext, another program")
local row = policy.list()[#policy.list()]
assert(row.name == "ext" and row.source == "another program" and row.effort == "quick")
assert(#sim.run(p).decisions == 1)

-- A policy as any other: in comparisons and benches, with a budget and a seed.
policy.external("ext", { agent, "step", n }, { evals = 9, blurb = "steps of a test", timeout = 60 })
row = policy.list()[#policy.list()]
assert(row.effort == "search" and row.evals == 9 and row.blurb == "steps of a test")
local rows = assert(compare.policies(g, { "ext", "heft" }, { cluster = "p100x2", evals = 6 }))
assert(rows[1].policy == "ext" and rows[1].run.name == "ext" and rows[1].error == nil)
local suite = arg[3] .. "/toys.json"
assert(app.write(suite, ([[{"graphs": [{"name": "toy", "graph": "%s", "placement": "p100x2"}]}]])
  :format(arg[1])))
local b = assert(bench.run{ suite = suite, policies = { "heft", "ext" } })
assert(b:text():find "ext")

-- What goes wrong is said.
policy.external("ext", { agent, "exit", n })
t.fails("ext ended too early, with exit code 3, .*no such model", plan.ext(g))
policy.external("ext", { agent, "silence", n }, { timeout = 0.3 })
t.fails("ext has been silent for 0.3 s", plan.ext(g))
policy.external("ext", { "there-is-no-such-program" })
t.fails("cannot be started", plan.ext(g))
