-- A policy of your own: called once per node, in topological order, it answers a device.
--
--   goban-cli run scripts/examples/04-a-policy-in-lua.lua [GRAPH]

-- The device that finishes the node first, as far as can be told by now: where it is free, and
-- where the node's inputs are, whichever is later.
policy.register("earliest", function(node, state)
  local best, when = nil, math.huge
  for _, d in ipairs(state.devices) do
    local t = math.max(state:free_at(d), state:inputs_at(node, d)) + node:cost_on(d)
    if t < when and state:fits(node, d) then best, when = d, t end
  end
  return best
end)

-- The plainest: operations of a kind go together, kinds in turn.
local seats, n = {}, 0
policy.register("by-op", function(node, state)
  if not seats[node.op] then
    n = n + 1
    seats[node.op] = n
  end
  return state.devices[seats[node.op] % #state.devices + 1]
end)

local g = assert(graph.load(arg[1] or app.sample "toy.dot"))
local p = assert(policy.get "earliest":decide(g))
print(sim.run(g, p))

-- Beside those that come with the program.
print(assert(compare.policies(g, { "earliest", "by-op", "heft" })):table())
