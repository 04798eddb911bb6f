-- session.lua: the parts of the modules that are easier said in Lua.
local core = ...
local _G = _G -- also when a script sets it
local fail = core.fail
local ipairs, pairs, type = ipairs, pairs, type
local translate = core.translate

core.doc("plan.tf", "(g, seed, cluster or opts)", "The same as plan.tf_default.", "p = plan.tf(g)")
function plan.tf(g, seed, cluster, ...)
  core.check("plan.tf", ...)
  return plan.tf_default(g, seed, cluster)
end

-- --- graphs and suites -------------------------------------------------------------------------

local generate = graph.generate

-- Makes one spec of a family and a table of keys, in alphabetical order.
function graph.generate(family, opts, ...)
  core.check("graph.generate", ...)
  core.expect(family, "string", 1, "generate")
  if opts ~= nil then core.expect(opts, "table", 2, "generate") end
  local keys = {}
  for key, value in pairs(opts or {}) do
    if math.type(value) == "float" and value % 1 == 0 then value = math.tointeger(value) end
    if type(value) ~= "string" and math.type(value) ~= "integer" then
      error(("opts.%s: word or whole number expected, got %s"):format(
        tostring(key), type(value)), 2)
    end
    keys[#keys + 1] = ("%s=%s"):format(key, value)
  end
  if #keys == 0 then return generate(family) end
  table.sort(keys)
  return generate(family .. (family:find(":", 1, true) and "," or ":") .. table.concat(keys, ","))
end

-- All graphs of a suite in turn; on_row hears of each as soon as it is measured.
core.doc("bench.run", "(opts)",
  "Measures policies on a suite, graph by graph; opts: suite, policies, graphs (a pattern), task "
    .. "(placement, joint), tasks (what GO decides: placement, scheduling, fusion or all), fusion "
    .. "(none, default), seed, seeds, evals, seconds, network and settings (of learned policies), "
    .. "journal (a file to go on with), on_row (called with each row and the bench).",
  'b = bench.run{ suite = "quick", policies = { "heft", "metis" }, seeds = 3 }')
function bench.run(opts, ...)
  core.check("bench.run", ...)
  core.expect(opts, "table", 1, "run")
  local rest, on_row = {}, opts.on_row
  for key, value in pairs(opts) do rest[key] = value end
  rest.on_row = nil
  local b, why = bench.new(rest)
  if not b then return nil, why end
  -- A stopped script returns nothing; what it has measured is the last result all the same.
  if core.at_prompt then _ = b end
  local row
  for i = 1, b.n_graphs do
    core.leave(translate("%d of %d graphs are in _"):format(i - 1, b.n_graphs),
      opts.journal and translate("the results so far are in %s"):format(opts.journal),
      translate("nothing is kept; journal = \"FILE\" would keep the results"))
    row, why = b:step()
    if not row then break end
    if on_row then on_row(row, b) end
  end
  core.left(nil)
  if not row then return nil, why end
  return b
end

core.doc("Bench.table", "()",
  "A Table with a row for each graph, policy and seed: graph, cluster, nodes, devices, policy, "
    .. "seed, valid, makespan, evaluations, seconds, and the error of what has no valid plan.",
  'b:table():summary{ by = "policy", value = "makespan" }')
function core.types.Bench.methods:table(...)
  core.check("Bench.table", ...)
  local rows = {}
  for _, of_graph in ipairs(self:rows()) do
    for _, result in ipairs(of_graph.results) do
      for _, cell in ipairs(result.seeds) do
        rows[#rows + 1] = {
          graph = of_graph.name, cluster = of_graph.cluster, nodes = of_graph.nodes,
          devices = of_graph.devices, policy = result.policy, seed = cell.seed, valid = cell.valid,
          makespan = cell.valid and cell.makespan or nil, evaluations = cell.evaluations,
          seconds = cell.seconds, error = not cell.valid and (cell.why or result.state) or nil,
        }
      end
    end
  end
  return core.table(rows, { columns = { "graph", "cluster", "nodes", "devices", "policy", "seed",
    "valid", "makespan", "evaluations", "seconds", "error" } })
end

-- --- trainings ---------------------------------------------------------------------------------

local job_train, job_methods = job.train, core.types.Job.methods
local job_wait = job_methods.wait
local GLANCE = 0.1 -- seconds between two looks for updates
local listeners = setmetatable({}, { __mode = "k" }) -- by job: { on_update, updates so far }

function job.train(opts, ...)
  core.check("job.train", ...)
  core.expect(opts, "table", 1, "train")
  if opts.on_update == nil then return job_train(opts) end
  core.expect(opts.on_update, "function", 1, "train", "opts.on_update: function")
  local rest = {}
  for key, value in pairs(opts) do rest[key] = value end
  rest.on_update = nil
  local j, why = job_train(rest)
  if j then listeners[j] = { on_update = opts.on_update, n = 0 } end
  return j, why
end

local function tell(j, listener)
  for _, update in ipairs(j:curve(listener.n + 1)) do
    listener.n = listener.n + 1
    listener.on_update(update, j)
  end
end

-- Who waits hears of each update, once and in order.
function job_methods:wait(seconds, ...)
  core.check("Job.wait", ...)
  local listener = listeners[self]
  -- Jobs of a script end with it.
  if core.at_prompt then core.left(translate("the job goes on; its stop() ends it")) end
  if not listener then
    local came = table.pack(job_wait(self, seconds))
    core.left(nil)
    return table.unpack(came, 1, came.n)
  end
  local till = core.clock() + (seconds or math.huge)
  while true do
    local came = table.pack(job_wait(self, math.max(0, math.min(GLANCE, till - core.clock()))))
    tell(self, listener)
    if came[1] ~= false or core.clock() >= till then
      core.left(nil)
      return table.unpack(came, 1, came.n)
    end
  end
end

core.doc("policy.train", "(opts)",
  "The same as job.train: the network of a policy learns.",
  'j = assert(policy.train{ output = "builder.net", steps = 50, on_update = pp })')
policy.train = job.train

local describe_settings = policy.settings

function policy.settings(name, ...)
  core.check("policy.settings", ...)
  if name ~= nil then core.expect(name, "string", 1, "settings") end
  local text, rows = describe_settings(name), {}
  if not text then
    return fail(("the training of '%s' has no settings; builder and moves have"):format(name))
  end
  for key, value, meaning in text:gmatch "(.-)\t(.-)\t(.-)\n" do
    rows[#rows + 1] = { setting = key, default = tonumber(value) or value, meaning = meaning }
  end
  return core.table(rows, { columns = { "setting", "default", "meaning" } })
end

-- --- comparing ---------------------------------------------------------------------------------

local compare_runs = compare.runs

local function as_run(x, i, name)
  local kind = core.type(x)
  if kind == "Plan" then return sim.run(x) end
  if kind == "Run" then return x end
  if math.type(x) == "integer" then
    local run = compare.listed(x) -- no tail call, so that an error has its name
    return run
  end
  error(("bad argument #%d to '%s' (Run or Plan expected, got %s)"):format(i, name, kind), 3)
end

setmetatable(compare, {
  __call = function(_, ...)
    local runs = table.pack(...)
    if runs.n > 1 and core.is_figures(runs[runs.n]) then runs.n = runs.n - 1 end
    if runs.n == 1 and core.is_table(runs[1]) then
      runs = table.pack(table.unpack(core.runs_of(runs[1])))
    end
    for i = 1, runs.n do runs[i] = as_run(runs[i], i, "compare") end
    return compare_runs(table.unpack(runs, 1, runs.n))
  end,
})

-- The runs of a Table's rows, those that have one.
function core.runs_of(rows)
  local runs = {}
  for _, row in ipairs(rows) do runs[#runs + 1] = row.run end
  return runs
end

local place_and_compare = compare.policies

core.doc("compare.policies", "(g, names, opts)",
  "Places a graph with several policies, and with everything on one device: a Table of policy, "
    .. "makespan, ratio (to the shortest valid one), valid, and the error of a policy that fails; "
    .. "each row has its run, and compare(t) compares them. Nil and why if all fail. opts: "
    .. "cluster, seed, evals, seconds, tasks.",
  'print(compare.policies(g, { "heft", "metis" }):text())')
function compare.policies(g, names, opts, ...)
  core.check("compare.policies", ...)
  core.expect(names, "table", 2, "policies", "list of names")
  for key in pairs(names) do
    if math.type(key) ~= "integer" then
      error(("names: a list of texts expected, got one with the key '%s'"):format(tostring(key)), 2)
    end
  end
  local rows, best, single, why = {}, nil, nil, nil
  local function add(name, run, trouble)
    rows[#rows + 1] = { policy = name, run = run, makespan = run and run.makespan,
                        valid = run and run.valid, error = not run and trouble or nil }
    if run and run.valid and not (best and best <= run.makespan) then best = run.makespan end
  end
  local t = core.table(rows, { columns = { "policy", "makespan", "ratio", "valid", "error" } })
  -- A stopped script returns nothing; what it has found is the last result all the same.
  if core.at_prompt then _ = t end
  for i, name in ipairs(#names > 0 and names or { "single" }) do
    if core.at_prompt and #names > 0 then
      core.left(translate("%d of %d policies are in _"):format(i - 1, #names))
    end
    local d, trouble = core.forward(place_and_compare, g, { name }, opts) -- the last: single
    add(name, d and d.runs[1], trouble)
    single, why = single or d and d.runs[#d.runs], why or trouble
  end
  core.left(nil)
  if not single then return nil, why end
  local is_there = #names == 0
  for _, name in ipairs(names) do is_there = is_there or name == "single" end
  if not is_there then add("single", single) end
  for _, row in ipairs(rows) do row.ratio = row.valid and row.makespan / best or nil end
  return t
end

local compare_try = compare.try

function compare.try(before, after, kind, set, label, ...)
  core.check("compare.try", ...)
  return compare_try(as_run(before, 1, "try"), as_run(after, 2, "try"), kind, set, label)
end

-- --- answers that are lists and text at once ---------------------------------------------------

local causes_meta = {
  __tostring = function(self)
    local lines = {}
    for i, cause in ipairs(self) do lines[i] = cause.text end
    return table.concat(lines, "\n")
  end,
}
local cause_meta = { __tostring = function(self) return self.text end }
local text_meta = { __tostring = function(self) return (self.text:gsub("\n$", "")) end }

local run_methods, diff_methods = core.types.Run.methods, core.types.Diff.methods
local run_why = run_methods.why

function run_methods:why(device, time, ...)
  core.check("Run.why", ...)
  local causes = run_why(self, device, time)
  if type(causes) ~= "table" then return causes end
  for _, cause in ipairs(causes) do setmetatable(cause, cause_meta) end
  return setmetatable(causes, causes_meta)
end

local run_totals = run_methods.totals

function run_methods:totals(from, to, devices, ...)
  core.check("Run.totals", ...)
  return setmetatable(run_totals(self, from, to, devices), text_meta)
end

local run_shares = run_methods.shares

function run_methods:shares(from, to, ...)
  core.check("Run.shares", ...)
  return setmetatable(run_shares(self, from, to), text_meta)
end

local run_bottlenecks = run_methods.bottlenecks

function run_methods:bottlenecks(n, ...)
  core.check("Run.bottlenecks", ...)
  local causes = run_bottlenecks(self, n)
  for _, cause in ipairs(causes) do setmetatable(cause, cause_meta) end
  return setmetatable(causes, text_meta)
end

-- Bars of a breakdown, which a plot shows as a waterfall: groups in place of the placement that
-- they split, and each under a name of its own.
local function as_waterfall(bars)
  local names, n, has_groups = {}, {}, false
  for _, bar in ipairs(bars) do has_groups = has_groups or bar.kind == "group" end
  for _, bar in ipairs(bars) do
    if not has_groups or bar.kind ~= "placement" then
      n[bar.label] = (n[bar.label] or 0) + 1
      names[bar] = n[bar.label] > 1 and ("%s (%d)"):format(bar.label, n[bar.label]) or bar.label
    end
  end
  return setmetatable(bars, { __tostring = text_meta.__tostring, plot = { kind = "bars",
    x = function(bar) return names[bar] end, y = "to", from = "from", y_label = "makespan",
    y_unit = "s" } })
end

local diff_why = diff_methods.why

function diff_methods:why(...)
  core.check("Diff.why", ...)
  local bars, why = diff_why(self)
  if not bars then return nil, why end
  return as_waterfall(bars)
end

local compare_causes = compare.causes

function compare.causes(before, after, ...)
  core.check("compare.causes", ...)
  local bars, why = compare_causes(as_run(before, 1, "causes"), as_run(after, 2, "causes"))
  if not bars then return nil, why end
  return as_waterfall(bars)
end

local compare_graphs = compare.graphs

function compare.graphs(a, b, ...)
  core.check("compare.graphs", ...)
  if core.type(a) == "Plan" then a = sim.run(a) end
  if core.type(b) == "Plan" then b = sim.run(b) end
  local found, why = compare_graphs(a, b)
  if not found then return nil, why end
  if found.causes then as_waterfall(found.causes) end
  local shared, reasons = found.text:match "^([^\n]*)(.*)$"
  for _, change in ipairs(found.changes) do shared = shared .. "\n" .. change.text end
  found.text = shared .. reasons
  return setmetatable(found, text_meta)
end

-- --- decisions ---------------------------------------------------------------------------------

local decisions_methods, moment_methods = core.types.Decisions.methods, core.types.Moment.methods
local decisions_review, moment_regret = decisions_methods.review, moment_methods.regret

function decisions_methods:review(n, ...)
  core.check("Decisions.review", ...)
  local rows, why = decisions_review(self, n)
  if not rows then return nil, why end
  return core.table(rows, { columns = { "moment", "option", "makespan", "gain" },
    units = { makespan = "s", gain = "s" } })
end

function moment_methods:regret(...)
  core.check("Moment.regret", ...)
  local rows, why = moment_regret(self)
  if not rows then return nil, why end
  return core.table(rows, { columns = { "name", "makespan", "difference" },
    units = { makespan = "s", difference = "s" } })
end

-- --- curves ------------------------------------------------------------------------------------

local job_curve, job_trials = job_methods.curve, job_methods.trials

-- A plot shows ratios where there are some, else what it chooses.
local function curve_table(points, plot)
  local columns = core.keys_of(points)
  if columns then core.arrange(columns, { "step", "graph" }) end
  local y = type(plot.y) == "table" and plot.y[1] or plot.y
  local has_ratios = points[1] and points[1][y]
  return core.table(points, { columns = columns, plot = has_ratios and plot or nil })
end

for _, name in ipairs { "Job", "Trainer" } do
  local methods = core.types[name].methods
  local curve, trials = methods.curve, methods.trials

  function methods:curve(first, ...)
    core.check(name .. ".curve", ...)
    return curve_table(curve(self, first), { x = "step", y = { "mean_ratio", "best_ratio" } })
  end

  function methods:trials(...)
    core.check(name .. ".trials", ...)
    return curve_table(trials(self), { x = "step", y = "expert_ratio", by = "graph" })
  end
end

-- What says how good a step was, the first that a point has. Of trials the mean of all graphs.
local OF_TRIALS = { "expert_ratio", "valid_greedy", "valid_64", "held_out" }
local OF_UPDATES = { "best_ratio", "ratio", "reward" }

local function find_column(points, names)
  for _, name in ipairs(names) do
    for _, point in ipairs(points) do if point[name] then return name end end
  end
end

-- The step with the least geometric mean; nil without a trial that fits in memory.
local function find_best_trial(trials)
  local name, sums, best = find_column(trials, OF_TRIALS), {}, nil
  for _, trial in ipairs(trials) do
    local sum = sums[trial.step] or { n = 0, log = 0 }
    sums[trial.step] = sum
    if trial[name] then sum.n, sum.log = sum.n + 1, sum.log + math.log(trial[name]) end
  end
  for _, trial in ipairs(trials) do
    local sum = sums[trial.step]
    local mean = sum.n > 0 and math.exp(sum.log / sum.n)
    if mean and (not best or mean < best[name]) then best = { step = trial.step, [name] = mean } end
  end
  return best
end

local function find_best_update(points)
  local name, best = find_column(points, OF_UPDATES), nil
  local sign = name == "reward" and -1 or 1
  for _, point in ipairs(points) do
    local value = point[name]
    if value and (not best or sign * value < sign * best[name]) then
      best = { step = point.step, [name] = value }
    end
  end
  return best
end

core.doc("Job.best", "()",
  "The best step so far: step, and the mean of its trials over all graphs; without trials the "
    .. "best ratio of an update, or its highest reward. nil before the first.",
  "pp(j:best())")
function job_methods:best(...)
  core.check("Job.best", ...)
  return find_best_trial(job_trials(self)) or find_best_update(job_curve(self))
end

core.doc("Job.net", "()",
  "The network that it has written, as policy.load gives it; nil and why without one.",
  "plan.go_zeroshot(g, { network = j:net().file })")
function job_methods:net(...)
  core.check("Job.net", ...)
  if not self.output then return fail("a policy that learns on a graph keeps no network") end
  return policy.load(self.output)
end

-- Nodes can only be shown where their graph is open.
core.doc("Diff.show", "()", "Selects the moved nodes and goes there.")
function diff_methods:show(...)
  core.check("Diff.show", ...)
  local moved = self:moved()
  if g ~= self.runs[2].graph then view.show(self.runs[2]) end
  return moved:show()
end

-- --- app ---------------------------------------------------------------------------------------

core.doc("app.open", "(path, opts)",
  "Loads a graph or a session file and opens it; returns the graph.",
  'app.open "samples/toy.dot"')
function app.open(path, opts, ...)
  core.check("app.open", ...)
  if type(path) == "string" and app.is_session(path) then
    local is_open, trouble = app.open_session(path)
    if not is_open then return nil, trouble end
    return g
  end
  local opened, why = graph.load(path, opts)
  if not opened then return nil, why end
  view.open(opened, path)
  return opened
end

-- What only looked along the way is left out: of selections in a row the last one counts.
local function script_lines()
  local lines = {}
  for _, line in ipairs(core.transcript()) do
    if #lines > 0 and line:match "^view%.select%(" and lines[#lines]:match "^view%.select%(" then
      lines[#lines] = line
    else
      lines[#lines + 1] = line
    end
  end
  return lines
end

core.doc("app.save_script", "(path)",
  "Writes what was typed and clicked as a script that does it again, with or without a window; "
    .. "returns the path.",
  'app.save_script "session.lua"')
function app.save_script(path, ...)
  core.check("app.save_script", ...)
  core.expect(path, "string", 1, "save_script")

  local lines = script_lines()
  table.insert(lines, 1, "-- What was done, for goban-cli run or the console.")
  return app.write(path, table.concat(lines, "\n") .. "\n")
end

-- --- sets --------------------------------------------------------------------------------------

local set_methods = core.types.Set.methods

core.doc("Set.describe", "(limit)", "The nodes as text, a line each.", "print(s:describe())")
function set_methods:describe(limit, ...)
  core.check("Set.describe", ...)
  return core.set_text(self, limit or #self)
end

-- --- small helpers -----------------------------------------------------------------------------

core.doc("describe", "(x)",
  "Prints all there is to say of a node, set, graph, run or comparison.",
  "describe(r)")
function describe(x, ...)
  core.check("describe", ...)
  local kind = core.type(x)
  if kind == "Node" or kind == "Set" then
    core.write((x:describe():gsub("\n$", "")) .. "\n")
  elseif kind == "Run" or kind == "Diff" then
    core.write((x:report():gsub("\n$", "")) .. "\n")
  elseif kind == "Graph" then
    core.write(tostring(x) .. "\n" .. core.show(x:stats()) .. "\n")
  elseif kind == "Cluster" then
    core.write(tostring(x) .. "\n")
    for _, device in ipairs(x.devices) do core.write("  " .. tostring(device) .. "\n") end
  else
    core.write(core.show(x) .. "\n")
  end
end

local function seconds_text(seconds)
  return core.quantity(seconds, "s")
end

-- The k-th of four equal parts of sorted times.
local function quartile(times, k)
  local place = 1 + (#times - 1) * k / 4
  local low = math.floor(place)
  local high = math.min(low + 1, #times)
  return times[low] + (times[high] - times[low]) * (place - low)
end

local function time_calls(f, n, ...)
  local times, values = {}, nil
  for i = 1, n do
    local start = core.clock()
    values = table.pack(f(...))
    times[i] = core.clock() - start
  end
  table.sort(times)
  if n == 1 then
    core.write(seconds_text(times[1]) .. "\n")
  else
    core.write(("min %s, median %s, spread %s, n = %d\n"):format(
      seconds_text(times[1]), seconds_text(quartile(times, 2)),
      seconds_text(quartile(times, 3) - quartile(times, 1)), n))
  end
  return table.unpack(values, 1, values.n)
end

core.doc("time", "(f, n, ...)",
  "Calls f with the arguments after n and prints how long it took; n times, if n is a whole "
    .. "number: least, median and spread (half of the calls lie within it). Returns what f "
    .. "returns.",
  "time(plan.heft, 5, g)")
function time(f, ...)
  core.expect(f, "function", 1, "time")
  local n = ...
  if math.type(n) ~= "integer" then return time_calls(f, 1, ...) end
  if n < 1 then error("bad argument #2 to 'time' (at least 1 expected)", 2) end
  return time_calls(f, n, select(2, ...))
end

-- --- a fresh start -----------------------------------------------------------------------------

-- Every global as it is now, and what is in the tables among them.
local function copy_of(t)
  local copy = {}
  for key, value in pairs(t) do copy[key] = value end
  return copy
end

local fresh, members_of = copy_of(_G), {}
for _, value in pairs(fresh) do
  if type(value) == "table" and value ~= _G then members_of[value] = copy_of(value) end
end

local function restore(t, members)
  for key in pairs(copy_of(t)) do
    if members[key] == nil then t[key] = nil end
  end
  for key, value in pairs(members) do t[key] = value end
end

core.doc("app.reset", "()",
  "Fresh globals: yours are gone, ours are as they were. The session stays.")
function app.reset(...)
  core.check("app.reset", ...)
  restore(_G, fresh)
  for t, members in pairs(members_of) do restore(t, members) end
  restore(core.policies, {})
  core.forget_policies()
  core.sync()
end

members_of[app].reset = app.reset
core.index_functions()
core.limit_arguments()
