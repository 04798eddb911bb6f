-- Values as JSON: exact and sorted, the same bytes for the same value.
local t = dofile "support.lua"

local function equal(got, wanted)
  if got ~= wanted then error(("got %s, wanted %s"):format(got, wanted), 2) end
end

equal(json(nil), "null")
equal(json(true), "true")
equal(json(12), "12")
equal(json(0.1), "0.1")
equal(json(1 / 3), "0.3333333333333333")
equal(json(2.0), "2")
equal(json(1e300), "1e+300")
equal(json(1 / 0), "null")
equal(json(0 / 0), "null")
equal(json(print), "null")
equal(json 'a"b\\c\n\t\1é', '"a\\"b\\\\c\\n\\t\\u0001é"')
equal(json {}, "[]")
equal(json { 1, { 2, "x" } }, '[1, [2, "x"]]')
equal(json { b = 1, a = { c = false } }, '{"a": {"c": false}, "b": 1}')

local g = assert(graph.load(arg[1]))
local r = assert(sim.run(g, plan.heft(g)))
assert(json(g):find('"nodes": 12', 1, true))
assert(json(g:nodes()):find('"name": "', 1, true))
assert(json(r):find('"valid": true', 1, true))
-- Names say units, as in files.
for _, name in ipairs{ "cost_s", "memory_bytes", "param_bytes", "start_s", "op" } do
  assert(json(r:nodes()):find('"' .. name .. '": ', 1, true), name)
end
assert(json(r):find '"makespan_s": .*"transferred_bytes": ' and json.parse(json(r)).bound_s > 0)
equal(json(r), json(sim.run(g, plan.heft(g))))

local knot = {}
knot[1] = knot
t.raises("json: the value is nested too deep, or in itself", json, knot)

-- A null is false in a list, which has no holes, and nothing in an object.
local parsed = assert(json.parse '{"a": null, "b": [null, 1], "c": false}')
assert(parsed.a == nil and parsed.b[1] == false and parsed.b[2] == 1 and parsed.c == false)
