-- policies.lua: policies written in Lua: registering them, and the loops that run them.
local core = ...
local policies = core.policies
local error, pairs, type = error, pairs, type

-- --- running, as the host asks for a plan ------------------------------------------------------

-- Asks for a device, node by node.
local function build(step, state)
  for node in state:nodes():each() do
    local device = step(node, state)
    if device == nil then return nil, "the policy found no device for " .. node.name end
    state:assign(node, device)
  end
  return state:plan()
end

-- Proposes plans until the budget is spent or nothing is proposed; the host keeps the best.
local function search_plans(policy, search)
  local plan, why = search:first()
  if policy.start then plan, why = policy.start(search) end
  if not plan then return nil, why or "the policy has no plan to start with" end
  local before = search:evaluate(plan)
  while search:more() do
    local proposed = policy.propose(plan:copy(), search)
    if proposed == nil then break end
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
  local run = policy.step and build or search_plans
  local plan, why = run(policy.step or policy, task) -- no tail call, which a traceback would show
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
