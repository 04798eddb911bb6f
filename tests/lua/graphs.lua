-- Graphs as rows: new, parse, rows, edges and edit.
local t = dofile "support.lua"
local toy = arg[1]
local g = assert(graph.load(toy))

-- Any graph is its rows again, number for number.
local function same(a, b)
  return json(a:rows()) == json(b:rows())
end
local rnnlm = assert(graph.load "rnnlm:layers=1,steps=2")
for _, other in ipairs { g, g:training(), rnnlm, assert(graph.load "transformer-xl:layers=2"),
    rnnlm:replicas{ n = 2 }.graph } do
  assert(same(other, graph.new(other:rows())), tostring(other))
end

-- Rows by hand: units, kinds, groups, outputs by number.
local h = graph.new{
  name = "pair",
  { name = "x", op = "Input", outputs = { "4MB", 1e6 } },
  { name = "mm", op = "MatMul", times = { gpu = "0.5ms", cpu = 5e-3 }, inputs = { "x", { "x", 2 } },
    group = "l1", param_bytes = "1MB" },
  { name = "never", times = { gpu = false, cpu = 1e-3 }, inputs = "mm", group = "l1" },
}
assert(tostring(h) == "Graph pair: 3 nodes, 3 edges", tostring(h))
local edges = h:edges()
assert(edges[1].bytes == 4e6 and edges[2].output == 2 and edges[2].bytes == 1e6)
assert(#edges == h.n_edges and edges[1].from == "x" and edges[1].to == "mm")
assert(edges[1].control == false and edges[3].bytes == 0)
local rows = h:rows()
assert(rows[2].times.gpu == 5e-4 and rows[3].times.gpu == false and rows[2].group == rows[3].group)

-- Parallel edges stay apart.
local twice = graph.new{ { name = "a", outputs = { 1, 2 } },
                         { name = "b", inputs = { "a", { "a", 2 } } } }
assert(#twice:edges() == 2 and twice:edges()[2].bytes == 2)

-- Mistakes name the row.
t.raises("row 1%.tmes is not known: did you mean times", graph.new, { { name = "x", tmes = 3 } })
t.raises("row 2 %(y%): times%.gpu: .*unknown unit", graph.new,
  { { name = "x" }, { name = "y", times = { gpu = "3 parsecs" } } })
t.raises("row 2: there is no node “z”", graph.new,
  { { name = "x" }, { name = "y", inputs = "z" } })
t.raises("row 1 %(x%): inputs%[1%]: { name, number", graph.new,
  { { name = "x", inputs = { { "y", 0 } } } })
t.raises("there is no 'nodes' beside the rows", graph.new, { nodes = {} })
t.raises("row 1: a table", graph.new, { 7 })
t.raises("cycle", graph.new, { { name = "x", inputs = "y" }, { name = "y", inputs = "x" } })

-- Edited copies: what is named changes, and nothing else.
local function by_name(graph)
  local all = {}
  for _, row in ipairs(graph:rows()) do all[row.name] = row end
  return all
end
local convs = g:where "op = Conv"
local slow, before = by_name(g:edit{ where = convs, cost = 2 }), by_name(g)
for name, row in pairs(before) do
  local factor = convs:map "name" and g:node(name).op == "Conv" and 2 or 1
  for kind, time in pairs(row.times or {}) do
    assert(math.abs(slow[name].times[kind] - factor * time) < 1e-12, name)
  end
  row.times, slow[name].times = nil, nil
  assert(json(row) == json(slow[name]), name)
end
assert(by_name(g:edit{ where = "op = Conv", set = { group = "convs", flops = 7 } })
  ["image/conv1"].flops == 7)
assert(by_name(g:edit{ where = { "fuse" }, scale = { outputs = 0.5 } }).fuse.outputs[1]
  == before.fuse.outputs[1] / 2)
assert(same(g, g:edit{}) and same(g, g:edit{ cost = 1, scale = { outputs = 1 } }))

local without = g:edit{ where = { "fuse" }, remove = true }
assert(#without == #g - 1 and without.n_edges == g.n_edges - #g:node "fuse":inputs()
  - #g:node "fuse":outputs())
local parts = g:edit{ where = { "fuse" }, split = 3 }
assert(#parts == #g + 2 and math.abs(parts:stats().work - g:stats().work) < 1e-12)
assert(#parts:node "fuse/part1":inputs() == 3 and parts:node "fuse/part3")
local added = g:edit{ add = { { name = "probe", inputs = "fuse", times = 1e-3 } } }
assert(#added == #g + 1 and added:node "probe":inputs():at(1).name == "fuse")
local other = g:edit{ rewire = { { "fuse", input = 1, from = "input" },
                                 { "fuse", input = 2, from = false } } }
assert(other.n_edges == g.n_edges - 1 and other:node "fuse":inputs():at(1).name == "input")

t.raises("g:edit: there is no 'wear'; there are: add", g.edit, g, { wear = 1 })
t.raises("split: a whole number of parts", g.edit, g, { split = 1.5 })
t.raises("scale.op: only numbers", g.edit, g, { scale = { op = 2 } })
t.raises("rewire%[1%]: fuse has 3 inputs, and no input 9", g.edit, g,
  { rewire = { { "fuse", input = 9, from = "input" } } })

t.raises("scale.bogus: only numbers can be scaled, which are collective_bytes, flops", g.edit, g,
  { scale = { bogus = 2 } })
t.raises("graphs.lua:%d+: g:edit: cost: a factor of at least 0 expected, got %-2", function()
  g:edit{ cost = -2 }
end)
t.raises("graphs.lua:%d+: g:edit: where: .*no node zz", function() g:edit{ where = { "zz" } } end)
t.raises("graphs.lua:%d+: g:edit: where: no node of the graph is found by it", function()
  g:edit{ where = "op = Y", cost = 2 }
end)
local renamed = { name = "fuse", input = 1, from = "input" }
assert(same(g:edit{ rewire = renamed }, g:edit{ rewire = { renamed } })
  and same(g:edit{ rewire = renamed },
    g:edit{ rewire = { { "fuse", input = 1, from = "input" } } }))
t.raises("rewire%[1%]: { name = ", g.edit, g, { rewire = { name = "fuze", from = "input" } })
-- A shape is not kept beside bytes that are not its own.
local shaped = graph.new{ { name = "x", outputs = { { bytes = 8, dims = { 2, 1 } } } } }
assert(#shaped:rows()[1].outputs[1].dims == 2)
local half = shaped:edit{ scale = { outputs = 0.5 } }:rows()[1].outputs[1]
assert(half == 4 or half.bytes == 4 and half.dims == nil)
-- Mistakes of rows in the words of rows.
t.raises("row 2: .*has 1 output, and none with the number 2", graph.new,
  { { name = "a", outputs = 4 }, { name = "b", inputs = { { "a", 2 } } } })
t.raises("row 1 %(a%): times: at least 0 expected, got %-1", graph.new,
  { { name = "a", times = -1 } })
-- Rows show all that they are.
local shown = records(g:rows(), { columns = { "name", "inputs", "times" } }):text()
assert(shown:find 'fuse.*{ "', shown)
local listed = records{ { a = 1, t = { 1, 2 } } }
assert(tostring(listed):find "{ 1, 2 }" and listed:json():find "%[1, 2%]", listed:json())

-- A random edit is the graph that its rows make: twice half the cost is the cost.
math.randomseed(7)
for _ = 1, 20 do
  local names = {}
  for node in g:nodes():each() do
    if math.random() < 0.4 then names[#names + 1] = node.name end
  end
  if #names > 0 then
    local factor = 2 ^ math.random(-2, 2)
    local there = g:edit{ where = names, cost = factor, scale = { outputs = factor } }
    assert(same(g, there:edit{ where = names, cost = 1 / factor,
      scale = { outputs = 1 / factor } }))
    assert(same(there, graph.new(there:rows())))
  end
end

-- Graphs are equal by what they are.
assert(g == graph.load(g:save(arg[2] .. "/equal.json")) and g == g:edit{}
  and g ~= g:edit{ where = { "fuse" }, set = { outputs = "9MB" } })

-- Texts of any format.
assert(graph.parse "digraph p { a -> b }".n_edges == 1)
assert(same(g, assert(graph.parse(app.read(toy), { format = "dot" }))))
t.fails("no format known here", graph.parse "xx")
t.fails("the file is empty", graph.parse "")
t.raises("opts.format", graph.parse, "a", { format = 7 })

-- A graph of a script is placed as any other.
local placed = assert(plan.heft(h, { cluster = "devices:gpu,cpu" }))
assert(sim.run(h, placed).valid and placed:device "never" == "cpu")
