local t = dofile "support.lua"

for _, name in ipairs { "io", "package", "require", "debug", "core" } do
  assert(_G[name] == nil, name)
end
for _, name in ipairs { "execute", "remove", "rename", "getenv", "tmpname", "setlocale" } do
  assert(os[name] == nil, name)
end
assert(os.time() > 0 and os.clock() >= 0 and type(os.date()) == "string" and string.dump == nil)

-- Bytecode is refused, whatever the mode asked for.
assert(load "return 1"() == 1 and load("return x", "name", "t", { x = 2 })() == 2)
local chunk, why = load("\27Lua", "binary", "b")
assert(chunk == nil and why:find "binary chunk")

-- Files only beside the script.
t.raises("is not in the script's folder", dofile, "/etc/passwd")
t.raises("is not in the script's folder", dofile, "../meson.build")
t.fails("is not in the script's folder", loadfile "../../README.md")
assert(type(loadfile "support.lua") == "function")

-- Metatables of ours are out of reach.
local g = assert(graph.load(arg[1]))
assert(getmetatable(g) == "Graph")
t.raises("cannot change a protected metatable", setmetatable, setmetatable({}, { __metatable = 1 }),
  {})
t.raises("Graph expected, got Plan", graph.load(arg[1]).where, plan.new(g), {})

-- A closed handle is refused.
do
  local kept
  do
    local closing <close> = graph.load(arg[1])
    kept = closing
  end
  t.raises("it is closed", function() return kept.name end)
end

-- Coroutines of scripts.
local numbers = coroutine.wrap(function(a)
  local b = coroutine.yield(a + 1)
  coroutine.yield(b + 1)
  return "end"
end)
assert(numbers(1) == 2 and numbers(5) == 6 and numbers() == "end")
t.raises("cannot resume dead coroutine", numbers)
local co = coroutine.create(function() error { code = 7 } end)
local ok, value = coroutine.resume(co)
assert(not ok and value.code == 7 and coroutine.status(co) == "dead")
t.raises("outside a coroutine", coroutine.yield)
local self
self = coroutine.create(function() return coroutine.resume(self) end)
local fine, inner, message = coroutine.resume(self)
assert(fine and not inner and message:find "non%-suspended")
for n in coroutine.wrap(function() for v in g:nodes():each() do coroutine.yield(v) end end) do
  assert(n.name)
end

-- Deep recursion and huge strings end as errors.
local function deep() return 1 + deep() end
t.raises("stack overflow", deep)
t.raises("", string.rep, "x", 1 << 40)
