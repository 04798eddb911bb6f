local t = dofile "support.lua"
local pairs, assert = pairs, assert

-- Globals of a script go, ours come back, the session stays.
app.open(arg[1])
mine, print, graph.load = 1, nil, nil
graph.mine, g, r = 2, 3, 4
string.format = nil
policy.register("mine", function() end)
local reset = app.reset
app, _G = nil, nil
reset()
assert(mine == nil and type(print) == "function" and type(graph.load) == "function")
assert(rawget(graph, "mine") == nil and type(string.format) == "function" and app.reset == reset)
assert(#g == 12 and r == nil and policy.get "mine" == nil and #out == 0)

-- Samples are found from any folder.
assert(#graph.load(app.sample "toy.dot") == 12 and app.sample "toy" == app.sample "toy.dot")
t.fails("there is no sample 'toyz'; there are: .*resnet%-50.onnx .*toy.dot", app.sample "toyz")
t.raises("string expected", app.sample)

-- Comparing things of different kinds is an answer, not an error.
assert(g ~= g:nodes() and g:nodes() ~= g:node "fuse" and sim.run(plan.single(g)) ~= g)

-- Closed values stay closed, wherever it is used from.
local c = cluster.preset "p100x2"
local device, link = c.devices[1], c:link("gpu:0", "gpu:1")
do local closing <close> = c end
t.raises("its cluster is closed", function() return device.memory end)
t.raises("its cluster is closed", function() return link.bandwidth end)
t.raises("its cluster is closed", function() return tostring(device) end)
t.raises("its cluster is closed", function() return g:node "fuse":cost_on(device) end)
t.raises("it is closed", function()
  local s = g:nodes()
  s:map(function() do local closing <close> = s end return 1 end)
end)
t.raises("__gc is not for scripts", setmetatable, {}, { __gc = print })
assert(getmetatable(setmetatable({}, { __index = math })).__index == math)

-- Two copies of a plan are two plans, whichever is changed first.
local p = plan.new(g)
local q = p:copy()
p:move("fuse", "gpu:1")
assert(q:device "fuse" == "gpu:0" and p:device "fuse" == "gpu:1")

-- The state of a policy ends with its decisions; a plan that was taken from it does not.
local kept, early
policy.register("keeper", function(node, state)
  kept, early = state, early or state:plan()
  return "gpu:1"
end)
assert(policy.get "keeper":decide(g):device "fuse" == "gpu:1" and early:device "fuse" == "gpu:0")
t.raises("closed", function() kept:assign("fuse", "gpu:1") end)

-- As many values as nodes.
local by = g:nodes():by "name"
assert(#by.fuse == 1 and #g:nodes():by("op").MatMul == 3)
