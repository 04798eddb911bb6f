local t = dofile "support.lua"
local g = assert(graph.load(arg[1]))

assert(#policy.list() >= 8 and policy.list()[1].blurb ~= "")
for _, row in ipairs(policy.list()) do
  assert(row.about and row.source ~= "" and math.type(row.evals) == "integer")
  local draws = row.name == "random" or row.name:find "metis" ~= nil
  assert(row.random == (draws or row.effort ~= "quick"), row.name)
  assert(row.effort == "quick" or row.effort == "search" or row.effort == "learned")
end
assert(records(policy.list()):csv():find "^name,effort,random,evals,blurb\nsingle,quick,false,0,")
local heft = assert(policy.get "heft")
assert(heft.name == "heft" and tostring(heft) == "Policy heft" and heft:decide(g).policy == "heft")
t.fails("there is no policy 'heffed'; policy.list%(%) tells", policy.get "heffed")
t.raises("plan.heft is there already", policy.register, "heft", print)
t.raises("function or table expected", policy.register, "mine", 3)
t.raises("a name of letters", policy.register, "my policy", print)
t.raises("policy.stp: there is no such key", policy.register, "mine", { stp = print })
t.raises("policy.evals: number expected, got string", policy.register, "mine",
  { propose = print, evals = "many" })
t.raises("either step, .* or propose", policy.register, "mine", { step = print, propose = print })

-- The greedy policy of the manual.
local asked = 0
policy.register("busy-least", function(node, state)
  asked = asked + 1
  local best, when = nil, math.huge
  for _, d in ipairs(state.devices) do
    local at = math.max(state:free_at(d), state:inputs_at(node, d)) + node:cost_on(d)
    if at < when and state:fits(node, d) then best, when = d, at end
  end
  return best
end)
local mine = assert(policy.get "busy-least")
local p = assert(mine:decide(g))
assert(asked == #g and p:check() and p.policy == "busy-least")
assert(sim.run(g, p).makespan < sim.run(g, plan.single(g)).makespan)
assert(tostring(mine):find "written in Lua" and policy.list()[#policy.list()].name == "busy-least")
assert(#mine:decide(g, { cluster = "p100x2" }).cluster.devices == 2)

-- Both kinds begin with what another policy says of the same graph and cluster.
policy.register("as_heft", function(node, state)
  return plan.heft(state.graph, 0, state.cluster):device(node)
end)
policy.register("from_heft", {
  evals = 5, propose = function(before) return before end,
  start = function(search) return plan.heft(search.graph, 0, search.cluster) end,
})
for _, name in ipairs { "as_heft", "from_heft" } do
  local made = assert(plan[name](g, { cluster = "p100x2" }))
  for node in g:nodes():each() do
    local expected = plan.heft(g, 0, "p100x2"):device(node)
    assert(made:device(node) == expected, name)
  end
end

-- It is a policy as any other: a function of plan, with decisions, which help() knows.
local r = sim.run(assert(plan.busy_least(g, 3, "p100x2")))
local d = r.decisions
assert(#d == #g and d[1].node.name == g:nodes():at(1).name and d[#d].finish >= d[#d].start)
for _, m in ipairs(d) do assert(m.chosen == r.plan:device(m.node.name) and #m.options > 1) end
assert(plan.busy_least(g, 1).policy == "busy-least")

-- What a policy sees is what other programs are told, with numbers from 1.
local seen = policy.observe(g, "p100x2")
assert(#seen.nodes.name == #g and #seen.edges.from == #g:edges() and seen.mask == nil)
assert(seen.nodes.name[seen.edges.to[1]] == g:edges()[1].to
  and seen.tensors.bytes[seen.edges.tensor[1]] == g:edges()[1].bytes)
assert(seen.links.bytes_per_us[1][1] == math.huge and seen.devices.memory_bytes[1] > 0)
local n_seen = 0
policy.register("watchful", function(node, state)
  local o = policy.observe(nil, nil, state)
  n_seen = n_seen + 1
  assert(o.node == n_seen and o.nodes.name[o.node] == node.name and o.columns[2] == "inputs_us")
  for i, d in ipairs(state.devices) do
    assert(math.abs(o.features.free_us[i] / 1e6 - state:free_at(d)) < 1e-12)
    assert(math.abs(o.features.inputs_us[i] / 1e6 - state:inputs_at(node, d)) < 1e-12)
    assert(state:fits(node, d) == (o.mask[i] == 1))
    local time_us = o.nodes.time_us[o.devices.class[i]]
    assert(math.abs(time_us[o.node] / 1e6 - node:cost_on(d)) < 1e-12)
  end
  return state.devices[1 + n_seen % 2]
end)
assert(plan.watchful(g, 1, "p100x2") and n_seen == #g)
t.raises("State expected", policy.observe, g, nil, 3)
t.raises("Graph expected", policy.observe)

-- Beside the built-in ones.
local d = assert(compare.policies(g, { "busy-least", "heft" }, { cluster = "p100x2" }))
assert(#d == 3 and d[1].run.name == "busy-least" and d[3].policy == "single")

-- What goes wrong.
local training_graph = g:training()
policy.register("lost", function() end)
t.fails("the policy found no device for input", policy.get "lost":decide(g))
policy.register("wild", function() return "gpu:77" end)
t.fails("there is no device 'gpu:77'", plan.wild(g))
policy.register("astray", function(node) return node end)
t.fails("answered a Node for input: a device or its name is needed", plan.astray(g))
policy.register("broken", function()
  local function deep() error "oops" end
  deep()
end)
local none, trouble = plan.broken(g)
assert(none == nil and trouble:find "oops\n%s+.*in .*'deep'" and not trouble:find "goban ")
local kept
policy.register("keeper", function(_, state)
  kept = state
  return state.devices[state:random(#state.devices)]
end)
local function devices_of(plan_of_g)
  return table.concat(g:nodes():map(function(n) return plan_of_g:device(n) end), " ")
end
assert(devices_of(plan.keeper(g, 1)) == devices_of(plan.keeper(g, 1)))
assert(devices_of(plan.keeper(g, 1)) ~= devices_of(plan.keeper(g, 2)))
t.raises("closed", function() return kept:free_at "gpu:0" end)
t.raises("opts.sede", function() mine:decide(g, { sede = 1 }) end)

policy.register("numeric", { propose = function() return 5 end })
t.fails("propose answered a number: a changed plan, or nil at the end", plan.numeric(g))
policy.register("numeric", { propose = function(p) return p end, start = function() return 5 end })
t.fails("start answered a number: a plan is needed", plan.numeric(g))
policy.register("foreign", { propose = function() return plan.heft(training_graph) end })
t.fails("'evaluate' .it is a plan of another graph", plan.foreign(g))

-- Members of a group follow its first: a backward node is where its forward node is.
policy.register("scatter", function(node, state)
  return state.devices[node.index % #state.devices + 1]
end)
local training = g:training()
local scattered = assert(policy.get "scatter":decide(training))
assert(scattered:check() and scattered:device "grad/fuse" == scattered:device "fuse")

-- Searching: as many evaluations as asked for, the same with the same seed, never worse than the
-- start, and the best plan even if a worse one was accepted last.
local proposals, search_of = 0, nil
policy.register("hop", {
  evals = 30,
  propose = function(plan, search)
    proposals, search_of = proposals + 1, search
    local nodes = search:nodes()
    local node = nodes:at(search:random(#nodes))
    local devices = search:devices(node)
    return search:move(plan, node, devices[search:random(#devices)])
  end,
  accept = function() return true end,
})
local hop = sim.run(assert(plan.hop(g, 5)))
assert(proposals == 29)
assert(devices_of(plan.hop(g, 5)) == devices_of(hop.plan))
proposals = 0
local short = sim.run(assert(plan.hop(g, { seed = 5, evals = 10, start = plan.single(g) })))
assert(proposals == 9 and short.makespan <= sim.run(plan.single(g)).makespan)
assert(#short.decisions >= 1)
t.raises("closed", function() return search_of:more() end)
assert(plan.hop(training, { evals = 40 }):check())

-- Another policy inside one, and one that proposes what cannot be.
policy.register("nested", {
  evals = 3, propose = function(_, s) return plan.hop(s.graph, s.evals) end,
})
assert(sim.run(plan.nested(g)).makespan <= sim.run(plan.heft(g)).makespan * 2)
policy.register("foreign", { propose = function() return plan.heft(training) end })
t.fails("it is a plan of another graph", plan.foreign(g))

-- One list for all: benches run it, a new start forgets it.
policy.register("first", function(_, state) return state.devices[1] end)
local suite = arg[2] .. "/one.json"
assert(app.write(suite, ([[{"about": "a toy", "graphs": [
  {"name": "toy", "graph": "%s", "placement": "p100x2"}]}]]):format(arg[1])))
local b = assert(bench.run{ suite = suite, policies = { "first" } })
local measured
for _, one in ipairs(b:rows()[1].results) do
  if one.policy == "first" then measured = one end
end
assert(measured.makespan == sim.run(plan.single(g, "gpu:0", "p100x2")).makespan)
app.reset()
assert(policy.get "first" == nil and rawget(plan, "first") == nil)
