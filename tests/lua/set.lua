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
