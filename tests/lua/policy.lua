local t = dofile "support.lua"
local g = assert(graph.load(arg[1]))

assert(#policy.list() >= 8 and policy.list()[1].blurb ~= "")
for _, row in ipairs(policy.list()) do
  assert(row.about and row.source ~= "" and math.type(row.evals) == "integer")
  assert(row.effort == "quick" or row.effort == "search" or row.effort == "learned")
end
local heft = assert(policy.get "heft")
assert(heft.name == "heft" and tostring(heft) == "Policy heft" and heft:decide(g).policy == "heft")
t.fails("there is no policy 'heffed'; policy.list%(%) tells", policy.get "heffed")
t.raises("a built%-in policy has this name", policy.register, "heft", print)
t.raises("function expected", policy.register, "mine", 3)

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

-- Beside the built-in ones.
local d = assert(compare.policies(g, { "busy-least", "heft" }, { cluster = "p100x2" }))
assert(#d == 3 and d.runs[1].name == "busy-least" and d.runs[3].name == "single")

-- What goes wrong.
policy.register("lost", function() end)
t.fails("the policy found no device for input", policy.get "lost":decide(g))
policy.register("wild", function() return "gpu:77" end)
t.raises("there is no device 'gpu:77'", function() policy.get "wild":decide(g) end)
policy.register("broken", function() error "oops" end)
t.raises("oops", function() policy.get "broken":decide(g) end)
t.raises("opts.sede", function() mine:decide(g, { sede = 1 }) end)

-- Members of a group follow its first: a backward node is where its forward node is.
policy.register("scatter", function(node, state)
  return state.devices[node.index % #state.devices + 1]
end)
local training = g:training()
local scattered = assert(policy.get "scatter":decide(training))
assert(scattered:check() and scattered:device "grad/fuse" == scattered:device "fuse")
