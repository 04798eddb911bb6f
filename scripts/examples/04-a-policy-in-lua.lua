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

-- A lazier one: as before, but it stays with its first input unless moving saves half a millisecond.
policy.register("lazy", function(node, state)
  local home, best, when = nil, nil, math.huge
  local at = {}
  for _, d in ipairs(state.devices) do
    at[d] = math.max(state:free_at(d), state:inputs_at(node, d)) + node:cost_on(d)
    if at[d] < when and state:fits(node, d) then best, when = d, at[d] end
    if state:inputs_at(node, d) == 0 then home = home or d end
  end
  if home and at[home] - when < 0.5e-3 and state:fits(node, home) then return home end
  return best
end)

local g = assert(graph.load(arg[1] or "samples/toy.dot"))
local p = assert(policy.get "earliest":decide(g))
print(sim.run(g, p))

-- Beside those that come with the program.
print(assert(compare.policies(g, { "earliest", "lazy", "heft" })):table())
