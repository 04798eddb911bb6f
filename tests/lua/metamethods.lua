-- metamethods.lua: hands every function of every module and type arguments whose metamethods close
-- all handles. The program gives closer (): a function that notes which C function calls it, then
-- calls close_all; types (): the table of types; and graph_file.
local random = math.random
math.randomseed(7)

local made = {} -- name to handle
local makers, order = {}, {}

local function maker(name, f)
  makers[name], order[#order + 1] = f, name
end

maker("Graph", function() return assert(graph.load(graph_file)) end)
maker("Cluster", function() return cluster.preset "p100x2" end)
maker("Plan", function() return plan.heft(made.Graph) end)
maker("Run", function() return sim.run(made.Plan) end)
maker("Set", function() return made.Run:nodes() end)
maker("Node", function() return made.Set:at(1) end)
maker("Diff", function() return compare(made.Run, sim.run(plan.single(made.Graph))) end)
maker("Device", function() return made.Cluster.devices[1] end)
maker("Link", function() return made.Cluster:link("gpu:0", "gpu:1") end)
maker("Plot", function() return plot.histogram(made.Run:nodes(), { x = "cost" }) end)
maker("Control", function() return ui.slider("s", 0, 1) end)
maker("Policy", function() return policy.get "heft" end)
maker("Decisions", function() return made.Run.decisions end)
maker("Moment", function() return made.Run.decisions[1] end)
maker("Picture", function() return view.picture{ run = made.Run } end)
maker("Array", function() return array{ 1, 2, 3 } end)
maker("Iterations", function()
  return assert(cluster.iterations('model,batch,seconds\n"gpt:layers=1,width=64,heads=2,batch=4",8,0.1\n',
    "a100x2"))
end)
maker("Bench", function() return bench.new{ suite = "go14", graphs = "gnmt" } end)

-- Why no handle of a type is made here.
local unmade = {
  Job = "trains in the background", Trainer = "trains", Kept = "scripts never have one",
  Measurement = "needs ONNX Runtime", ClusterWork = "scripts never have one",
  Table = "a list with methods, no handle",
  State = "made below, inside of a policy", Search = "made below, inside of a policy",
}

local function refresh()
  for _, name in ipairs(order) do
    if not made[name] then
      local ok, handle = pcall(makers[name])
      if ok and handle then made[name] = handle else failed_to_make(name, tostring(handle)) end
    end
  end
end

local n_closed = 0
local guarded = {} -- State and Search: closed with the others, not made again

function close_all()
  for name, handle in pairs(made) do
    made[name] = nil
    local closed <close> = handle
  end
  for _, handle in pairs(guarded) do
    local closed <close> = handle
  end
  n_closed = n_closed + 1
  if n_closed % 16 == 0 then collectgarbage() end
end

-- --- arguments -----------------------------------------------------------------------------------

local events = {
  "add", "sub", "mul", "div", "mod", "pow", "unm", "idiv", "band", "bor", "bxor", "shl", "shr",
  "bnot", "concat", "len", "eq", "lt", "le", "index", "newindex", "call", "close", "pairs",
  "tostring",
}
local meta = {}
for _, event in ipairs(events) do meta["__" .. event] = closer(event) end
local function hostile(...) return setmetatable({ ... }, meta) end
local function callback()
  close_all()
  refresh()
  return random(2) == 1
end

-- Keys of options are learnt from what functions say when they are given none that they know.
local function learn_keys(f, n)
  local keys, args = {}, table.pack()
  for i = 1, 4 do args[i] = i == n and { no_such_key = 1 } or made[order[random(#order)]] end
  local ok, message = pcall(f, table.unpack(args, 1, 4))
  local list = not ok and tostring(message):match "there are:? ?(.*)"
  for key in (list or ""):gmatch "[%w_]+" do keys[#keys + 1] = key end
  return keys
end

local words = { "gpu:0", "device", "op", "graph", "cost", "1ms", "x", "conv", "" }

local function sound()
  local kind = random(6)
  if kind <= 3 then return made[order[random(#order)]] end
  if kind == 4 then return random(0, 3) end
  if kind == 5 then return words[random(#words)] end
  return nil
end

local function hostiles(keys)
  local h = hostile()
  local list = { h, hostile(1, 2), { h, h }, { [h] = 1 }, { h = h }, callback, closer "called" }
  for _, key in ipairs(keys) do
    list[#list + 1] = { [key] = h }
    list[#list + 1] = { [key] = { h } }
  end
  return list
end

-- --- calls ---------------------------------------------------------------------------------------

local N_TRIES = 4

-- @self: (nullable): a function for the object of a method.
local function attack(name, f, self)
  for n = self and 2 or 1, 3 do
    refresh()
    local keys = learn_keys(f, n)
    for _, value in ipairs(hostiles(keys)) do
      for _ = 1, N_TRIES do
        refresh()
        local args = {}
        for i = 1, 4 do args[i] = sound() end
        if self then args[1] = self() end
        args[n] = value
        now(name, n)
        local ok, trouble = pcall(f, table.unpack(args, 1, random(n, 4)))
        if not ok and type(trouble) ~= "string" then now(name, n) end
      end
    end
  end
end

-- What must not run here, and why.
local left_out = {
  ["app.quit"] = "ends the script", ["job.train"] = "trains in the background",
  ["measure.run"] = "needs ONNX Runtime", ["bench.run"] = "measures for minutes",
  ["job.learn"] = "trains", ["app.reset"] = "puts back the globals that this uses",
  ["compare.policies"] = "tries every policy",
}
local policies = { heft = true, single = true, recorded = true }

local modules = { "app", "bench", "cluster", "compare", "graph", "job", "measure", "plan", "plot",
                  "policy", "scene", "sim", "ui", "view" }

local function attack_modules()
  for _, module in ipairs(modules) do
    local names = {}
    for name, f in next, _G[module] do
      if type(f) == "function" then names[#names + 1] = name end
    end
    table.sort(names)
    for _, name in ipairs(names) do
      local is_policy = module == "plan" and not policies[name]
      if not left_out[module .. "." .. name] and not is_policy then
        attack(module .. "." .. name, _G[module][name])
      end
    end
  end
end

local operators = {
  ["[]"] = function(a, b) return a[b] end,
  ["[]="] = function(a, b) a[b] = b end,
  ["field="] = function(a, b) a.name = b end,
  ["+"] = function(a, b) return a + b end,
  [".."] = function(a, b) return a .. b end,
  ["=="] = function(a, b) return a == b end,
  ["<"] = function(a, b) return a < b end,
  ["<="] = function(a, b) return a <= b end,
  ["()"] = function(a, b) return a(b) end,
  ["tostring"] = tostring, ["#"] = function(a) return #a end,
}

local function attack_type(name, self)
  local parts = types[name]
  local names = {}
  for method in pairs(parts.methods) do names[#names + 1] = method end
  table.sort(names)
  for _, method in ipairs(names) do
    if name .. "." .. method ~= "Bench.step" then
      attack(name .. ":" .. method, parts.methods[method], self)
    end
  end
  for field, f in pairs(parts.setters) do
    attack(name .. "." .. field, function(a, b) return f(a, field, b) end, self)
  end
  for operator, f in pairs(operators) do
    for _, value in ipairs(hostiles {}) do
      refresh()
      now(name .. operator, 2)
      pcall(f, self(), value)
      refresh()
      pcall(f, value, self())
    end
  end
end

attack_modules()
local names = {}
for name in pairs(types) do names[#names + 1] = name end
table.sort(names)
for _, name in ipairs(names) do
  if makers[name] then
    attack_type(name, function() return made[name] end)
  else
    assert(unmade[name], name .. " is a type that no handle is made of here")
  end
end

-- The objects of a policy live as long as its call.
refresh()
policy.register("t-step", function(_, state)
  guarded.State = state
  attack_type("State", function() return state end)
end)
policy.register("t-search", { evals = 3, propose = function(_, search)
  guarded.Search = search
  attack_type("Search", function() return search end)
end })
for _, name in ipairs { "t-step", "t-search" } do
  refresh()
  pcall(function() return policy.get(name):decide(made.Graph) end)
  guarded = {}
end
