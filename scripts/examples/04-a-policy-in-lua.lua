-- Policies of your own: in the window they are in the Place menu and the palette, too.
--
--   goban-cli run scripts/examples/04-a-policy-in-lua.lua [GRAPH]

-- One that builds a plan: called once per node, in topological order, it returns a device. This is
-- the device that finishes the node first, as far as can be told by now: where it is free, and
-- where the inputs are, whichever is later.
policy.register("earliest", {
  blurb = "each node where it finishes first",
  step = function(node, state)
    local best, when = nil, math.huge
    for _, d in ipairs(state.devices) do
      local t = math.max(state:free_at(d), state:inputs_at(node, d)) + node:cost_on(d)
      if t < when and state:fits(node, d) then best, when = d, t end
    end
    return best
  end,
})

-- One that searches: it changes a copy of the present plan and accepts what is not worse, or a
-- little worse in the beginning. The host counts the evaluations and keeps the best plan.
policy.register("hop", {
  blurb = "moves one node at a time",
  evals = 400,
  propose = function(plan, search)
    local nodes = search:nodes()
    local node = nodes:at(search:random(#nodes))
    local devices = search:devices(node)
    return search:move(plan, node, devices[search:random(#devices)])
  end,
  accept = function(after, before, search)
    return after <= before * (1 + 0.02 / search.evals)
  end,
})

local g = assert(graph.load(arg[1] or app.sample "toy.dot"))
local r = sim.run(g, assert(plan.earliest(g)))
print(r, #r.decisions .. " decisions")
print(sim.run(g, assert(plan.hop(g, { seed = 1, evals = 200 }))))

-- Beside those that come with the program.
print(assert(compare.policies(g, { "earliest", "hop", "heft" })):text())
