-- lesson.lua: lessons: their code is run, their tasks are checked, and challenges are scored.
local core = ...
local _G = _G -- also when a script sets it
local fail = core.fail
local error, ipairs, load, math, pairs, pcall, select, setmetatable, table, tonumber, tostring,
  type = error, ipairs, load, math, pairs, pcall, select, setmetatable, table, tonumber, tostring,
  type
-- What only this file uses.
local private = {}
for _, name in ipairs { "enter", "judge", "unveil", "clear", "discard", "own", "texts" } do
  private[name], lesson[name] = lesson[name], nil
end
local enter, judge, unveil, clear = private.enter, private.judge, private.unveil, private.clear
local texts = private.texts()

-- Names that code of a lesson sets are its own: they last until another lesson is opened.
local own, own_name

local function get_names(name)
  if name ~= own_name then
    own, own_name = setmetatable({}, { __index = _G }), name
  end
  return own
end

local function current()
  return lesson.current() or error("no lesson is open: lesson.open(1)", 3)
end

-- Runs code of a step with g, r, p and sel as they are now; an expression's values are returned.
local function run(c, kind, n)
  local step = c.steps[n or c.step]
  local code = step[kind]
  if not code then return end
  core.sync()
  local name = ("=%s, step %d, %s"):format(c.name, n or c.step, kind)
  local names = get_names(c.name)
  local f = load("return " .. code, name, "t", names)
  if not f then
    local why
    f, why = load(code, name, "t", names)
    if not f then error(why, 0) end
  end
  return f()
end

-- --- places in a lesson ------------------------------------------------------------------------

-- Brings the window into the state with which a step begins: the last setup up to there, the
-- solutions of the steps between, then what the step shows.
local function prepare(c)
  local first
  for n = c.step, 1, -1 do
    if c.steps[n].setup then
      first = n
      break
    end
  end
  if first then
    private.discard()
    run(c, "setup", first)
    private.own()
    for n = first, c.step - 1 do run(c, "solution", n) end
  end
  run(c, "show")
  core.sync()
end

core.doc("lesson.open", "(name, step)",
  "Opens a lesson by name, number or path of an .md file, and sets up what the step begins with.",
  "lesson.open(4, 2)")
function lesson.open(name, step, ...)
  core.check("lesson.open", ...)
  if math.type(name) == "integer" then name = tostring(name) end
  core.expect(name, "string", 1, "open", "name or number")
  local done, why = enter(name, step or 1)
  if not done then return nil, why end
  lesson.reset()
  return true
end

core.doc("lesson.reset", "()", "Begins the step again.")
function lesson.reset(...)
  core.check("lesson.reset", ...)
  local c = current()
  clear()
  prepare(c)
  if c.steps[c.step].rivals then lesson.score() end
end

-- Whether the task of the present step is done as it is.
local function is_done(c)
  local fine, met = pcall(run, c, "check")
  return fine and met
end

-- A step that does not set anything up goes on from what is there, unless its task would be done
-- already: it then begins with the lesson's own plans.
local function go(n)
  local c = current()
  if n < 1 or n > #c.steps then return false end
  enter(c.name, n)
  c = current()
  if c.steps[n].setup or n < c.step then
    lesson.reset()
  else
    run(c, "show")
    if c.steps[n].check and is_done(c) then lesson.reset() end
  end
  return true
end

core.doc("lesson.next", "()", "Goes to the next step; false after the last.")
function lesson.next(...)
  core.check("lesson.next", ...)
  return go(current().step + 1)
end

core.doc("lesson.previous", "()", "Goes to the step before; false before the first.")
function lesson.previous(...)
  core.check("lesson.previous", ...)
  local c = current()
  return c.step > 1 and lesson.open(c.name, c.step - 1) or false
end

-- --- tasks -------------------------------------------------------------------------------------

core.doc("lesson.check", "()", "Whether the step's task is done; else also what is missing.")
function lesson.check(...)
  core.check("lesson.check", ...)
  local c = current()
  if not c.steps[c.step].check then return fail("this step has no task") end
  local fine, met, message = pcall(run, c, "check")
  if not fine then met, message = false, tostring(met) end
  judge(met and true or false, not met and message or nil)
  return met and true or false, message
end

core.doc("lesson.solve", "()", "Does the step's task.")
function lesson.solve(...)
  core.check("lesson.solve", ...)
  local c = current()
  if not c.steps[c.step].solution then return fail("this step has no task") end
  unveil()
  run(c, "solution")
  core.sync()
  if not is_done(c) then -- the solution is one for the lesson's own plans
    prepare(c)
    run(c, "solution")
  end
  return lesson.check()
end

-- --- challenges --------------------------------------------------------------------------------

local rivals, rivals_of, log_start

-- Seconds of each rival, the shortest first; they are placed once.
local function get_rivals(c)
  local key = c.name .. c.step
  if rivals_of == key then return rivals end
  -- Their curves would take the place of the student's panes.
  core.hide_learning(true)
  local fine, found = pcall(run, c, "rivals")
  core.hide_learning(false)
  if not fine then error(found, 0) end
  rivals, rivals_of = {}, key
  for name, rival in pairs(found) do
    local seconds = type(rival) == "number" and rival or rival.makespan
    rivals[#rivals + 1] = { name = name, makespan = seconds }
  end
  table.sort(rivals, function(a, b)
    if a.makespan ~= b.makespan then return a.makespan < b.makespan end
    return a.name < b.name
  end)
  log_start = #app.log()
  return rivals
end

local function count_lines()
  local edits, undone = 0, 0
  local log = app.log()
  for i = (log_start or 0) + 1, #log do
    if log[i]:find "^app%.undo" then undone = undone + 1
    elseif log[i]:find ":move" then edits = edits + 1 end
  end
  return edits, undone
end

-- 0 for the slowest rival and worse, 100 for the best, more beyond it; "bound" is no plan.
local function find_points(list, seconds)
  local best, worst = math.huge, 0
  for _, rival in ipairs(list) do
    if rival.name ~= "lower bound" then
      best, worst = math.min(best, rival.makespan), math.max(worst, rival.makespan)
    end
  end
  if worst == best then return seconds <= best and 100 or 0 end
  return math.max(0, math.floor(100 * (worst - seconds) / (worst - best) + 0.5))
end

local function write_board(list, mine, c, points)
  local rows, edits, undone = {}, count_lines()
  local me = { name = texts.mine, makespan = mine }
  local function row(rival)
    return ("%s: %s"):format(rival.name, core.format("time", rival.makespan))
  end
  rows[1] = texts.points:format(row(me), points)
  rows[2] = texts.edits:format(edits, undone)
  if c.revealed then
    for _, rival in ipairs(list) do
      rows[#rows + 1] = rival.makespan < mine and texts.ahead:format(row(rival)) or row(rival)
    end
  else
    local behind = 0
    local n = 0
    for _, rival in ipairs(list) do
      if rival.name ~= "lower bound" then
        n = n + 1
        if rival.makespan >= mine then behind = behind + 1 end
      end
    end
    rows[#rows + 1] = texts.behind:format(behind, n)
  end
  return table.concat(rows, "\n")
end

core.doc("lesson.score", "()",
  "The points of the plan in a challenge: 100 for the best rival's makespan, 0 for the worst's.")
function lesson.score(...)
  core.check("lesson.score", ...)
  local c = current()
  if not c.steps[c.step].rivals then return fail("this step is no challenge") end
  local list = get_rivals(c)
  core.sync()
  if not r then return fail("there is no plan") end
  local points = r.valid and find_points(list, r.makespan) or 0
  judge(points >= 100 or nil, r.valid and write_board(list, r.makespan, c, points)
    or texts.full)
  return points
end

core.doc("lesson.reveal", "()", "Shows the rivals of a challenge.")
function lesson.reveal(...)
  core.check("lesson.reveal", ...)
  unveil()
  return lesson.score()
end

-- Runs what a link of a lesson's text holds, with the names of the lesson.
core.doc("lesson.follow", "(link)", "Runs a link of the lesson's text.", 'lesson.follow "#3"')
function lesson.follow(code, ...)
  core.check("lesson.follow", ...)
  core.expect(code, "string", 1, "follow")
  local c = current()
  local step = tonumber(code:match "^#(%d+)$")
  if step then return lesson.open(c.name, step) end
  core.sync()
  local f, why = load(code, "=link", "t", get_names(c.name))
  if not f then error(why, 2) end
  return f()
end
