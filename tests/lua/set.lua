local t = dofile "support.lua"
local g = assert(graph.load(arg[1]))
local all = g:nodes()

-- Queries in their three forms agree.
local a = g:where { op = "MatMul" }
assert(#a == 3 and a == g:where "op = MatMul"
  and a == g:where(function(n) return n.op == "MatMul" end))
assert(#g:where "" == 12 and #g:where {} == 12)
assert(#g:where "cost > 100us and not op ~ '^Mat'" == 4)
assert(#g:where "cost >= 0.24ms and (name ~ 'image/.*' or op = Attention)" == 3)
assert(#g:where "matmul" == 3 and #g:where "'text/'" == 4)
-- Names of all files that make up the type, and of the prelude.
t.raises("it has: at%(%) by%(%) .* describe%(%) .* hide%(%) .* move%(%) .* top%(%)",
  function() return all.nope end)
-- Values of a table: comparisons with units, lists of several, devices of a cluster.
assert(g:where { cost = "> 100us", op = "!~ ^Mat" } == g:where "cost > 100us and not op ~ '^Mat'")
assert(g:where { cost = "0.24ms" } == g:where "cost = 0.24ms" and #g:where { cost = "<= 0" } == 0)
assert(g:where { op = { "MatMul", "Attention" } } == g:where "op = MatMul or op = Attention")
assert(g:where { name = "~ image/.*" } == g:where "name ~ 'image/.*'")
assert(g:where { name = "~ /IMAGE/i" } == g:where "name ~ /IMAGE/i")
assert(g:where { cost = { "< 100us", "> 200us" } } == g:where "cost < 100us or cost > 200us")
assert(g:where { cost = g:nodes():at(1).cost }:contains(g:nodes():at(1)))
t.raises("cost = \"> 10\": .*a time needs a unit: 10us", g.where, g, { cost = "> 10" })
t.raises("cost is compared with a number", g.where, g, { cost = "> 1us and < 2us" })
t.raises("op: text expected, got number; write {op = \"TEXT\"}", g.where, g, { op = 3 })
t.raises("op: text expected, got table", g.where, g, { op = { { "MatMul" } } })
t.raises("op: an empty list; write {op = {A, B}}", g.where, g, { op = {} })
t.raises("cost: a number or a comparison expected, got boolean", g.where, g, { cost = true })
t.raises("a table of fields expected, such as {op", g.where, g, { "MatMul" })
t.raises("has no field “kost”.*did you mean cost%?", g.where, g, { kost = 1 })

-- Inputs are nodes, each once; edges are tensors, each once.
local path = arg[2] .. "/parallel.json"
assert(app.write(path, [[{"goban": "graph", "version": 1, "name": "parallel", "kinds": ["gpu"],
"nodes": [
{"name": "a", "op": "Split", "times": {"gpu": 1},
 "outputs": [64, {"bytes": 8, "dtype": "f32", "dims": [2]}]},
{"name": "b", "op": "Add", "times": {"gpu": 1}, "inputs": ["a", ["a", 1], "a"], "outputs": [4]}
]}]]))
local double = assert(graph.load(path))
local a_node, b_node = double:node "a", double:node "b"
assert(#b_node:inputs() == 1 and #a_node:outputs() == 1)
assert(b_node.fan_in == 2 and #b_node:in_edges() == 2 and #a_node:out_edges() == 2)
local first, second = table.unpack(b_node:in_edges())
assert(first.node == a_node and first.bytes + second.bytes == 72 and not first.control)
assert((first.dtype or second.dtype) == "f32" and a_node:out_edges()[1].node == b_node)

t.raises("query, column 8: cost 1: a time needs a unit", g.where, g, "cost > 1")
t.raises("a node has no field “kost”; it has: name, op", g.where, g, "kost > 1ms")
t.raises("a node has no field “kost”", g.where, g, { kost = 1 })
t.raises("device is known in a run only", g.where, g, "device = 'gpu:0'")
t.raises("device is known in a run only", g.where, g, { device = "gpu:0" })
t.raises("query %(string, table or function%) expected, got boolean", g.where, g, true)
t.raises("value expected", g.where, g)

-- A run brings devices and times.
local r = sim.run(plan.single(g, "gpu:1"))
assert(#r:where "device = 'gpu:1'" == 12 and #g:where({ device = "gpu:1" }, r) == 12)
assert(#r:where { device = "gpu:0" } == 0)
t.raises("there is no device 'gpu:7'", r.where, r, { device = "gpu:7" })
assert(#r:where "slack = 0 and start >= 0" == 12)

-- Walking.
local names = {}
for n in a:each() do names[#names + 1] = n.name end
assert(#names == 3 and a:at(1).name == names[1] and a:at(-1).name == names[3])
assert(table.concat(a:map "name", " ") == table.concat(names, " "))
assert(table.concat(a:map(function(n) return n.name end), " ") == table.concat(names, " "))
assert(a:contains(names[2]) and not a:contains "input")
t.raises("there is no such node in the set", a.at, a, 4)
t.raises("oops", a.map, a, function() error "oops" end)

-- Sums, groups and ranks.
assert(math.abs(all:sum "cost" - 1810e-6) < 1e-12 and math.type(all:sum "bytes") == "integer")
local by = all:by "op"
assert(#by.MatMul == 3 and #by.Conv == 2 and by.MatMul == a)
local top = all:top(3, "cost")
assert(#top == 3 and top:at(1).name == "text/attention")
assert(#all:top(100, "cost") == 12 and #all:top(0, "cost") == 0)
t.raises("the field op is text", all.sum, all, "op")

-- Neighbours and algebra.
local fuse = g:nodes { "fuse" }
assert(#fuse:inputs() == 3 and #fuse:outputs() == 1 and #fuse:inputs(100) == 9)
assert(#(a + fuse) == 4 and #(a - a) == 0 and a * all == a and #(all - a) == 9)
assert(g:nodes { "fuse", "fuse" } == fuse)
t.raises("there is no node nobody", g.nodes, g, { "nobody" })
t.raises("a set of another graph", function() return a + graph.load(arg[1]):nodes() end)

-- Text.
assert(tostring(fuse) == "Set of 1 node, cost 90 µs")
assert(fuse:describe():find "Concat")

-- Showing.
t.raises("its graph is not open", a.show, a)
view.open(g)
assert(a:show() == a and sel == a)
