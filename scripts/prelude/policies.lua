-- policies.lua: policies written in Lua: registering them, and the loops that run them.
local core = ...
local policies = core.policies
local error, ipairs, pairs, type = error, ipairs, pairs, type

-- --- running, as the host asks for a plan ------------------------------------------------------

-- Asks for a device, node by node.
local function build(step, state)
  for node in state:nodes():each() do
    local device = step(node, state)
    local kind = core.type(device)
    if device == nil then return core.fail("the policy found no device for " .. node.name) end
    if kind ~= "Device" and kind ~= "string" and kind ~= "number" then
      return core.fail(("the policy answered a %s for %s: a device or its name is needed"):format(
        kind, node.name))
    end
    state:assign(node, device)
  end
  return state:plan()
end

-- Proposes plans until the budget is spent or nothing is proposed; the host keeps the best.
local function search_plans(policy, search)
  local plan, why = search:first()
  if policy.start then plan, why = policy.start(search) end
  if not plan then return nil, why or "the policy has no plan to start with" end
  if core.type(plan) ~= "Plan" then
    return core.fail(("start answered a %s: a plan is needed"):format(core.type(plan)))
  end
  local before = search:evaluate(plan)
  while search:more() do
    local proposed = policy.propose(plan:copy(), search)
    if proposed == nil then break end
    if core.type(proposed) ~= "Plan" then
      return core.fail(("propose answered a %s: a changed plan, or nil at the end, is needed")
        :format(core.type(proposed)))
    end
    local after, is_accepted = search:evaluate(proposed), nil
    if policy.accept then
      is_accepted = policy.accept(after, before, search)
    else
      is_accepted = after <= before
    end
    if is_accepted then plan, before = proposed, after end
  end
end

function core.place(policy, task)
  -- Neither a tail call, which a traceback would show, nor a name, which messages would have.
  local plan, why = (policy.step and build or search_plans)(policy.step or policy, task)
  return plan, why
end

-- --- registering ---------------------------------------------------------------------------------

local kinds = {
  step = "function", propose = "function", accept = "function", start = "function",
  evals = "number", blurb = "string",
}
local DEFAULT_EVALS = 1000

local function check(policy)
  for key, value in pairs(policy) do
    local kind = kinds[key]
    if not kind then
      error("policy." .. tostring(key) .. ": there is no such key; there are accept, blurb, evals, "
        .. "propose, start, step", 3)
    end
    if type(value) ~= kind then
      error(("policy.%s: %s expected, got %s"):format(key, kind, type(value)), 3)
    end
  end
  if not policy.step == not policy.propose then
    error("a policy has either step, which builds a plan, or propose, which searches", 3)
  end
  if policy.blurb == "" then error("policy.blurb: it is empty", 3) end
  local evals = policy.evals or DEFAULT_EVALS
  if math.type(evals) ~= "integer" or evals < 1 then
    error("policy.evals: whole number from 1 expected", 3)
  end
end

local function check_name(name, owner)
  if not name:match "^%a[%w_-]*$" then
    error(("bad argument #1 to '%s' (a name of letters, digits, - and _ is needed)"):format(owner),
      3)
  end
  local word = name:gsub("-", "_")
  if rawget(plan, word) ~= nil and not policies[name] then
    error(("bad argument #1 to '%s' (plan.%s is there already)"):format(owner, word), 3)
  end
end

core.doc("policy.register", "(name, f or policy)",
  "Adds a policy to the Place menu, the palette, plan.NAME, compare and bench. f(node, state) "
    .. "returns a device and is called once per node in topological order. A table has step, which "
    .. "is such an f; or propose(plan, search), which returns a changed plan, with accept(after, "
    .. "before, search), start(search) and evals; and blurb, a line for menus.",
  'policy.register("first", function(node, state) return state.devices[1] end)')
function policy.register(name, what, ...)
  core.check("policy.register", ...)
  core.expect(name, "string", 1, "register")
  if type(what) == "function" then what = { step = what } end
  core.expect(what, "table", 2, "register", "function or table")
  check_name(name, "register")
  check(what)

  local own = { blurb = "written in Lua" }
  for key, value in pairs(what) do own[key] = value end
  local evals = own.propose and (own.evals or DEFAULT_EVALS) or 0
  local is_added, why = core.add_policy(name, own.blurb, evals)
  if not is_added then error(why, 2) end
  policies[name] = own
end

-- A prompt shows what one chooses by; rows have about and source, too.
local list, list_meta = policy.list, { columns = { "name", "effort", "random", "evals", "blurb" } }

function policy.list(...)
  core.check("policy.list", ...)
  return setmetatable(list(), list_meta)
end

-- --- observations --------------------------------------------------------------------------------

-- Lists of numbers as arrays; null is no limit, or a time where a node cannot run.
local function with_arrays(value)
  if type(value) ~= "table" then return value end
  local first = value[1]
  if type(first) ~= "number" and first ~= false then
    for key, inner in pairs(value) do value[key] = with_arrays(inner) end
    return value
  end
  for i, number in ipairs(value) do value[i] = number or math.huge end
  return array(value)
end

-- The columns of a list of rows.
local function turned(rows)
  local columns = {}
  for i, row in ipairs(rows) do
    for k, value in ipairs(row) do
      columns[k] = columns[k] or {}
      columns[k][i] = value
    end
  end
  return columns
end

-- The first part of what a program is told, of a State once.
local observe = core.types.State.methods.observe
local problems = setmetatable({}, { __mode = "k" })

core.doc("policy.observe", "(g, c, state)",
  "What a policy sees, as another program does (docs/protocol.md), but that all numbers of nodes, "
    .. "tensors and classes begin with 1: nodes, edges, tensors, devices and links with an Array "
    .. "or a list each for their columns (nodes.time_us: one for each class). With the State of a "
    .. "policy, g and c may be nil, and there are node, the number of the one that is next, "
    .. "features by the names in columns (free_us, inputs_us: an Array with a number for each "
    .. "device) and mask (1: it may go there).",
  'policy.observe(g, "p100x4").edges.from')
function policy.observe(g, c, state, ...)
  core.check("policy.observe", ...)
  if state ~= nil and core.type(state) ~= "State" then
    error("bad argument #3 to 'observe' (State expected: policy.register has one)", 2)
  end
  local seen = state and problems[state]
  if not seen then
    seen = json.parse(state and observe(state) or core.forward(core.observe_graph, g, c))
    seen.nodes.time_us = turned(seen.nodes.time_us)
    seen = with_arrays(seen)
    seen.edges.from, seen.edges.to = seen.edges.from + 1, seen.edges.to + 1
    seen.edges.tensor, seen.devices.class = seen.edges.tensor + 1, seen.devices.class + 1
    if state then problems[state] = seen end
  end
  local observed = {}
  for key, value in pairs(seen) do observed[key] = value end
  local text = state and observe(state, true)
  local step = text and json.parse(text)
  if step then
    observed.node, observed.columns = step.node + 1, { "free_us", "inputs_us" }
    observed.mask, observed.features = array(step.mask[1]), {}
    for _, name in ipairs(observed.columns) do
      observed.features[name] = with_arrays(step[name][1])
    end
  end
  return observed
end

function core.types.State.methods:observe(...)
  core.check("State.observe", ...)
  return policy.observe(nil, nil, self)
end

-- --- other programs ------------------------------------------------------------------------------

local external_kinds = { timeout = "number", evals = "number", tasks = "string", blurb = "string" }
local TIMEOUT = 30 -- seconds

core.doc("policy.external", "(name, argv, opts)",
  "A policy whose plans another program makes, which speaks the lines of docs/protocol.md: argv is "
    .. "the program and its arguments. opts: evals (plans of a search; without it one plan is "
    .. "made), timeout (seconds of silence after which it is ended, 30), tasks (what it may "
    .. "decide: 'placement,scheduling'), blurb. In scripts it needs --trust, since programs may do "
    .. "anything.",
  'policy.external("torch", { "python3", "agent.py" }, { evals = 1000 })')
function policy.external(name, argv, opts, ...)
  core.check("policy.external", ...)
  core.expect(name, "string", 1, "external")
  core.expect(argv, "table", 2, "external")
  if type(argv[1]) ~= "string" then
    error("bad argument #2 to 'external' (a list of the program and its arguments expected)", 2)
  end
  opts = opts or {}
  core.expect(opts, "table", 3, "external")
  check_name(name, "external")
  for key, value in pairs(opts) do
    local kind = external_kinds[key]
    if not kind then
      error("opts." .. tostring(key) .. ": there is no such key; there are blurb, evals, tasks, "
        .. "timeout", 2)
    end
    if type(value) ~= kind then
      error(("opts.%s: %s expected, got %s"):format(key, kind, type(value)), 2)
    end
  end
  local evals, timeout = opts.evals or 0, opts.timeout or TIMEOUT
  if math.type(evals) ~= "integer" or evals < 0 then
    error("opts.evals: whole number from 0 expected", 2)
  end
  if not (timeout > 0 and timeout <= 1e6) then
    error("opts.timeout: seconds from 0 to 1e6 expected", 2)
  end
  local word = tostring(argv[1])
  local is_word = utf8.len(word) and #word <= 200
  local blurb = opts.blurb or (is_word and "the program " .. word) or "another program"
  local is_added, why = core.add_policy(name, blurb, evals, argv, timeout, opts.tasks)
  if not is_added then error(why, 2) end
  policies[name] = { argv = argv }
end
