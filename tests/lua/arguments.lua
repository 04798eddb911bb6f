-- arguments.lua: functions refuse arguments that they do not use: too many, and unknown keys.

-- --- one argument too many ----------------------------------------------------------------------

local any_number = { ["compare.runs"] = true, ["compare.show"] = true }
local seen, n_checked = {}, 0

-- 0, 1, ... arguments until it says how many it takes, which it must before it looks at them.
local function check(name, f, n_self)
  if any_number[name] then seen[name] = true return end
  for n = n_self, 12 do
    local args = {}
    for i = 1, n do args[i] = false end
    local ok, message = pcall(f, table.unpack(args, 1, n))
    local limit, got = tostring(message):match "(%d+) arguments? expected, got (%d+)"
    if limit then
      assert(not ok)
      assert(tonumber(got) == n - n_self
        and tonumber(limit) == n - n_self - 1, name .. ": " .. message)
      assert(message:find("(", 1, true) or message:find("{", 1, true), name .. ": " .. message)
      n_checked = n_checked + 1
      return
    end
  end
  error(name .. " takes any number of arguments")
end

local quits = { ["app.quit"] = true, ["app.reset"] = true, ["app.undo"] = true, ["app.redo"] = true,
  ["job.list"] = true }
for _, module in ipairs { "app", "bench", "cluster", "compare", "graph", "job", "plan", "plot",
  "policy", "sim", "ui", "view" } do
  for name, f in pairs(_G[module]) do
    if type(f) == "function" then
      local key = module .. "." .. name
      if quits[key] then
        assert(select(2, pcall(f, 1)):find "0 arguments expected, got 1", key)
      else
        check(key, f, 0)
      end
    end
  end
end
for type_name, parts in pairs(types()) do
  for name, f in pairs(parts.methods) do check(type_name .. "." .. name, f, 1) end
end
for _, name in ipairs { "help", "apropos", "json", "describe" } do check(name, _G[name], 0) end
for name in pairs(any_number) do assert(seen[name], name) end
assert(n_checked > 150, n_checked)

local g = assert(app.open(arg[1]))
local ok, why = pcall(plan.heft, g, 0, "p100x8", 1)
assert(not ok and why:find("plan.heft(g, seed, cluster or opts): 3 arguments expected, got 4", 1,
  true), why)
ok, why = pcall(function() return g:nodes("0-3", 1) end)
assert(not ok and why:find("g:nodes(list): 1 argument expected, got 2", 1, true), why)
assert(why:find("arguments.lua:%d+: "), why)

-- --- calls as last arguments ---------------------------------------------------------------------

-- What beside the first answer figures are is left out; with nil the reason is told.
do
  local trained = graph.generate "rnnlm:steps=2"
  local run, figures = trained:replicas{ n = 2, cluster = "p100x2" }
  assert(figures.replicas == 2)
  local function replicas() return trained:replicas{ n = 2, cluster = "p100x2" } end
  assert(#compare(run, run).runs == 2 and compare(replicas()).runs[1].makespan == run.makespan)
  assert(compare.graphs(replicas(), replicas()).equal)
  assert(#compare.causes(replicas(), replicas()) > 1)
  assert(json(replicas()) == json(run) and tostring(show(replicas())):find "Timeline")
  local bytes = { figures = figures, n = select("#", replicas()) }
  assert(bytes.n == 2 and json(bytes.figures):find "gradient_bytes")

  for call, reason in pairs {
    [function() plan.heft(graph.load "no.json") end] =
      "plan.heft%(.-%): argument 1 is nil: no.json: cannot be read",
    [function() graph.load(app.sample "no.json") end] =
      "graph.load%(.-%): argument 1 is nil: there is no sample 'no.json'",
    [function() g:arrays(graph.load "no.json") end] =
      "g:arrays%(opts%): argument 1 is nil: no.json: cannot be read",
    [function() compare.graphs(g, graph.load "no.json") end] =
      "compare.graphs%(a, b%): argument 2 is nil: no.json: cannot be read",
    [function() g:nodes(graph.load "no.json") end] =
      "g:nodes%(list%): argument 1 is nil: no.json: cannot be read",
    [function() compare.causes(g, 1) end] = "bad argument #1 to 'causes' %(Run or Plan expected",
    [function() json(1, "x") end] = "json%(x%): 1 argument expected, got 2",
  } do
    ok, why = pcall(call)
    assert(not ok and why:find("arguments.lua:%d+: ") and why:find(reason), why)
  end
end

-- --- the third argument of policies -----------------------------------------------------------

for _, name in ipairs { "expert", "heft", "metis", "m_etf", "single" } do
  local p = plan[name](g, 0, "p100x8")
  assert(#p.cluster.devices == 8, name)
  assert(#plan[name](g, nil, cluster.preset "p100x2").cluster.devices == 2, name)
  if name ~= "single" then -- whose string is a device
    assert(#plan[name](g, "p100x2").cluster.devices == 2, name)
  end
  assert(#plan[name](g, 0, { cluster = "p100x8" }).cluster.devices == 8, name)
end
for _, case in ipairs {
  { "opts.seed: the seed is given twice", plan.heft, g, 1, { seed = 2 } },
  { "a seed is expected", plan.heft, g, "p100x8", 1 },
  { "a seed is expected", plan.heft, g, { seed = 1 }, "p100x8" },
  { "not negative", plan.heft, g, -1 },
  { "a plan and no graph", sim.run, plan.heft(g), "p100x8", 1 },
} do
  ok, why = pcall(table.unpack(case, 2, 5))
  assert(not ok and why:find(case[1], 1, true), why)
end

-- --- keys nobody knows ------------------------------------------------------------------------

local r = sim.run(plan.heft(g))
view.show(r)
local bad = { no_such_key = 1 }
local cases = {
  ["graph.load"] = { graph.load, arg[1], bad },
  ["graph.generate"] = { graph.generate, "rnnlm", bad },
  ["Graph.cells"] = { g.cells, g, bad },
  ["Graph.training"] = { g.training, g, bad },
  ["plan.heft"] = { plan.heft, g, bad },
  ["plan.heft, third"] = { plan.heft, g, 0, bad },
  ["Policy.decide"] = { policy.get "heft".decide, policy.get "heft", g, bad },
  ["sim.run"] = { sim.run, g, plan.heft(g), bad },
  ["sim.run of a plan"] = { sim.run, plan.heft(g), bad },
  ["bench.new"] = { bench.new, { suite = "quick", no_such_key = 1 } },
  ["bench.run"] = { bench.run, { suite = "quick", no_such_key = 1 } },
  ["job.train"] = { job.train, { output = "x.net", no_such_key = 1 } },
  ["compare.policies"] = { compare.policies, g, { "heft" }, bad },
  ["compare.sync"] = { compare.sync, bad },
  ["view.color"] = { view.color, "op", bad },
  ["view.color of a function"] = { view.color, function() return 1 end, bad },
  ["view.save"] = { view.save, arg[2] .. "/x.svg", bad },
  ["view.lanes"] = { view.lanes, bad },
  ["app.open"] = { app.open, arg[1], bad },
  ["Graph.nodes"] = { g.nodes, g, bad },
  ["Graph.nodes with a list"] = { g.nodes, g, { 0, no_such_key = 1 } },
  ["compare.policies, names"] = { compare.policies, g, bad },
  ["bench.new, policies"] = { bench.new, { suite = "quick", policies = bad } },
  ["view.expanded"] = { view.expanded, bad },
  ["app.device"] = { app.device, "gpu:0", bad },
  ["app.link"] = { app.link, "gpu:0", "gpu:1", bad },
}
policy.register("of-mine", function(_, state) return state.devices[1] end)
cases["Policy.decide, in Lua"] = { policy.get "of-mine".decide, policy.get "of-mine", g, bad }
cases["compare.policies, in Lua"] = { compare.policies, g, { "of-mine" }, bad }
for name, call in pairs(cases) do
  local answered, value, message = pcall(table.unpack(call))
  message = answered and (value == nil and message or "it was taken") or value
  assert(tostring(message):find "no_such_key", name .. ": " .. tostring(message))
end
