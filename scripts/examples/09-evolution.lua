-- Evolution of a policy: weights that mutate on training graphs and are judged on others.
--
--   goban-cli run scripts/examples/09-evolution.lua [GRAPH]
--
-- The policy puts a node on the device with the least weighted sum of when it would finish there,
-- how long the device would wait, and how much the device has done. The control spends as many
-- plans on weights that are drawn anew each time: what it reaches is worth no evolution.
local CLUSTER, GENERATIONS, CHILDREN = "p100x4", 6, 4 -- 60 and 10 are worth a look
local w -- the weights in use

policy.register("weighted", {
  blurb = "the least weighted sum of finish, wait and load",
  step = function(node, state)
    local best, least = nil, math.huge
    for _, d in ipairs(state.devices) do
      local free, inputs = state:free_at(d), state:inputs_at(node, d)
      local start = math.max(free, inputs)
      local score = w[1] * (start + node:cost_on(d)) + w[2] * (start - free) + w[3] * free
      if score < least and state:fits(node, d) then best, least = d, score end
    end
    return best
  end,
})

-- The mean over graphs of the makespan in units of HEFT's.
local heft = {}
local function cost(weights, graphs)
  local sum = 0
  w = weights
  for _, g in ipairs(graphs) do
    heft[g] = heft[g] or sim.run(plan.heft(g, 0, CLUSTER)).makespan
    sum = sum + sim.run(assert(plan.weighted(g, 0, CLUSTER))).makespan / heft[g]
  end
  return sum / #graphs
end

local function draw() return { math.random(), 2 * math.random() - 1, 2 * math.random() - 1 } end
local function mutate(weights)
  local child = {}
  for i, x in ipairs(weights) do child[i] = x + 0.3 * (2 * math.random() - 1) end
  return child
end

-- The best weights of as many as the generations have children, each made from the best so far.
local function search(make, graphs)
  math.randomseed(1)
  local best = { 0, 0, 1 } -- the device that has done least
  local least = cost(best, graphs)
  for _ = 1, GENERATIONS * CHILDREN do
    local weights = make(best)
    local new = cost(weights, graphs)
    if new <= least then best, least = weights, new end
  end
  return best
end

local training, held_out = {}, { assert(graph.load(arg[1] or app.sample "toy.dot")) }
for i = 1, 3 do
  training[i] = assert(graph.generate("synthetic", { seed = i }))
  held_out[i + 1] = assert(graph.generate("synthetic", { seed = 100 + i }))
end

local rows = { { "start", { 0, 0, 1 } }, { "control", search(draw, training) },
  { "evolved", search(mutate, training) } }
print "makespan in units of HEFT's   training   held out"
for _, row in ipairs(rows) do
  print(("%-28s %9.3f %10.3f"):format(row[1], cost(row[2], training), cost(row[2], held_out)))
end
