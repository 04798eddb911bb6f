-- trainer.lua: policy.trainer: a training whose loop, rewards and lessons are a script's.
local core = ...
local error, ipairs, pairs, setmetatable, type = error, ipairs, pairs, setmetatable, type
local methods = core.types.Trainer.methods
local translate = core.translate

-- By trainer: { reward, lessons, n_taught, records }.
local states = setmetatable({}, { __mode = "k" })

-- "opts.reward (file.lua:12)": a function by the place that it was written at.
local function name_function(key, f)
  return ("opts.%s (%s)"):format(key, core.trainer_where(f))
end

-- --- lessons -----------------------------------------------------------------------------------

local load_graph, cluster_of = graph.load, cluster.preset
local loaded = { graph = {}, cluster = {} } -- by their texts

local function load_once(kind, text, load)
  local known = loaded[kind]
  if not known[text] then known[text] = assert(load(text)) end
  return known[text]
end

-- A graph and a cluster; texts are loaded once, so that a lesson is prepared only once.
local function resolve(graph, cluster, name)
  if type(graph) == "string" then graph = load_once("graph", graph, load_graph) end
  if type(cluster) == "string" then cluster = load_once("cluster", cluster, cluster_of) end
  if core.type(graph) ~= "Graph" then
    error(("%s: a graph and a cluster expected, got %s"):format(name, core.type(graph)), 0)
  end
  if cluster ~= nil and core.type(cluster) ~= "Cluster" then
    error(("%s: a cluster expected after the graph, got %s"):format(name, core.type(cluster)), 0)
  end
  return graph, cluster
end

local function of_list(key, list, k)
  local lesson = list[k]
  if type(lesson) ~= "table" then lesson = { lesson } end
  local name = ("opts.%s[%d]"):format(key, k)
  return resolve(lesson.graph or lesson[1], lesson.cluster or lesson[2], name)
end

local function draw(lessons, i)
  if type(lessons) == "function" then
    local graph, cluster = lessons(i)
    return resolve(graph, cluster, name_function("lessons", lessons))
  end
  return of_list("lessons", lessons, (i - 1) % #lessons + 1)
end

-- True, or nil and why.
local function validate(t, list)
  local all = {}
  for k = 1, #list do all[2 * k - 1], all[2 * k] = of_list("validation", list, k) end
  local is_fine, is_done, why = pcall(core.trainer_validate, t, table.unpack(all, 1, 2 * #list))
  if not is_fine then error("opts.validation: " .. is_done, 0) end
  return is_done, why
end

-- The next update's own lessons, in place of drawn ones.
local function teach(t, state)
  local n, why = core.trainer_n_lessons(t)
  if not n then return nil, why end
  local all = {}
  for k = 1, n do
    all[2 * k - 1], all[2 * k] = draw(state.lessons, state.n_taught + k)
  end
  local is_fine, is_done, trouble = pcall(core.trainer_teach, t, table.unpack(all, 1, 2 * n))
  if not is_fine then error("opts.lessons: " .. is_done, 0) end
  if is_done then state.n_taught = state.n_taught + n end
  return is_done, trouble
end

-- --- rollouts and rewards ------------------------------------------------------------------------

-- A rollout as a table, whose plan is made when it is asked for.
local function dress(t, state, records)
  for i, record in ipairs(records) do
    setmetatable(record, {
      __index = function(_, key)
        if key ~= "plan" then return nil end
        if state.records ~= records then error("the trainer has learned from this rollout", 2) end
        return assert(core.trainer_plan(t, i))
      end,
    })
  end
end

core.doc("Trainer.rollouts", "()",
  "The plans that the next update learns from, a list: lesson, time and reference (of the best "
    .. "split) in seconds, reward, entropy, top_share, plan. Their rewards may be changed before "
    .. "t:update().",
  "for _, r in ipairs(t:rollouts()) do r.reward = -r.time / r.reference end")
function methods:rollouts(...)
  core.check("Trainer.rollouts", ...)
  local state = states[self]
  if not state then core.expect(self, "Trainer", 1, "rollouts") end
  if state.records then return state.records end
  if state.lessons then
    local is_taught, why = teach(self, state)
    if not is_taught then return nil, why end
  end
  local records, why = core.trainer_roll_out(self)
  if not records then return nil, why end
  state.records = records
  dress(self, state, records)
  return records
end

local function check_reward(value, name)
  if type(value) ~= "number" or value ~= value or value == math.huge or value == -math.huge then
    local got = type(value) == "number" and tostring(value) or type(value)
    error(("%s: a finite number expected, got %s"):format(name, got), 0)
  end
  return value
end

local function reward(t, state)
  local rewards = {}
  for i, record in ipairs(state.records) do
    if state.reward then
      record.reward = check_reward(state.reward(record), name_function("reward", state.reward))
    end
    rewards[i] = check_reward(record.reward, ("reward of rollout %d"):format(i))
  end
  return core.trainer_reward(t, rewards)
end

local function update(t, state)
  if state.reward or state.lessons then
    local records, why = t:rollouts()
    if not records then return nil, why end
  end
  if state.records then
    local is_done, why = reward(t, state)
    if not is_done then return nil, why end
  end
  local row, why = core.trainer_update(t)
  if not row and why then return nil, why end
  state.records = nil
  return row
end

core.doc("Trainer.update", "(n)",
  "Makes an update, or n of them; returns the last as t:curve() has it, nil when all steps are "
    .. "made, nil and why if it failed.",
  "print(assert(t:update()).reward)")
function methods:update(n, ...)
  core.check("Trainer.update", ...)
  local state = states[self]
  if not state then core.expect(self, "Trainer", 1, "update") end
  if n ~= nil and (math.type(n) ~= "integer" or n < 1) then
    error("bad argument #1 to 'update' (whole number from 1 expected)", 2)
  end
  local row, why
  for i = 1, n or 1 do
    core.left(translate("%d of %d updates are made"):format(i - 1, n or 1))
    row, why = update(self, state)
    if not row then break end
  end
  core.left(nil)
  if not row then return nil, why end
  return row
end

core.doc("Trainer.kept", "()",
  "The network that the training keeps, written beside t.output as NAME-kept.net: as policy.load "
    .. "gives it. It is the best in validation, which may be the first (t:report().kept_start); "
    .. "with own lessons or rewards and no own validation the present one.",
  "plan.go_zeroshot(g, { network = t:kept().file })")
function methods:kept(...)
  core.check("Trainer.kept", ...)
  local path = self.output:gsub("%.net$", "") .. "-kept.net"
  local is_saved, why = self:save(path, "kept")
  if not is_saved then return nil, why end
  return policy.load(path)
end

core.doc("Trainer.net", "()",
  "The network as it is now, written to t.output: as policy.load gives it. See t:kept.",
  "plan.go_zeroshot(g, { network = t:net().file })")
function methods:net(...)
  core.check("Trainer.net", ...)
  local is_saved, why = self:save()
  if not is_saved then return nil, why end
  return policy.load(self.output)
end

-- --- making --------------------------------------------------------------------------------------

core.doc("policy.trainer", "(opts)",
  "A training whose loop is yours: opts as of job.train, policy is builder without one, output a "
    .. "new file in goban-out, whose name says what is your own; reward (a function of a rollout "
    .. "that answers a number) and lessons (a function of a number from 1 that answers a graph and "
    .. "a cluster, or a list of such pairs) replace what it learns from and on; validation (such a "
    .. "list) what the network that it keeps is chosen by. Without them t:update() makes what "
    .. "job.train makes.",
  "t = assert(policy.trainer{ steps = 40, reward = function(r) return -r.time / r.reference end })")
function policy.trainer(opts, ...)
  core.check("policy.trainer", ...)
  core.expect(opts, "table", 1, "trainer")
  local rest, state = {}, { n_taught = 0, reward = opts.reward, lessons = opts.lessons }
  for key, value in pairs(opts) do rest[key] = value end
  if state.reward ~= nil then
    core.expect(state.reward, "function", 1, "trainer", "opts.reward: function")
  end
  if state.lessons ~= nil and type(state.lessons) ~= "function" then
    core.expect(state.lessons, "table", 1, "trainer", "opts.lessons: function or list")
    if #state.lessons == 0 then error("opts.lessons: the list is empty", 2) end
  end
  local validation = opts.validation
  if validation ~= nil then
    core.expect(validation, "table", 1, "trainer", "opts.validation: list")
    if #validation == 0 then error("opts.validation: the list is empty", 2) end
  end
  if state.reward and (rest.policy or "builder") == "builder" and not rest.resume then
    -- Imitation follows makespans, which the reward is to replace; settings may ask for it.
    rest.settings = rest.settings and "imitations=0," .. rest.settings or "imitations=0"
  end
  local t, why = core.forward(core.trainer_new, rest)
  if not t then return nil, why end
  states[t] = state
  if validation then
    local is_fine, is_done
    is_fine, is_done, why = pcall(validate, t, validation)
    if is_fine and is_done then return t end
    t:close()
    if not is_fine then error(is_done, 2) end
    return nil, why
  end
  return t
end
