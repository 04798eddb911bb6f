-- controls.lua: ui.slider, ui.choice and ui.button, and the functions that their values re-run.
local core = ...
local ipairs, pairs, type, pcall = ipairs, pairs, type, pcall

local SLIDER, CHOICE, BUTTON = 0, 1, 2
local MAX_SHOWN = 100 -- plots and tables that one function shows
local watched = {} -- id to { control =, run =, last = }

local add = ui.add
ui.add = nil

-- What a function shows replaces what it has shown before.
local function run(entry)
  local value = entry.control.value
  if value == nil then
    watched[entry.id] = nil
    return
  end
  entry.last = value
  if not entry.run then return end
  local n = 0
  local outer = core.next_slot
  core.next_slot = function()
    n = n + 1
    return n < MAX_SHOWN and entry.id * MAX_SHOWN + n or 0
  end
  local ok, trouble = pcall(entry.run, value, entry.control)
  core.next_slot = outer
  if not ok then error(trouble, 0) end
end

-- Runs the functions of all controls whose values have changed since, with the newest values, in
-- the order in which they were made.
local function run_changed()
  local entries = {}
  for i, id in ipairs(core.keys(watched)) do entries[i] = watched[id] end
  for _, entry in ipairs(entries) do
    if entry.control.value ~= entry.last then run(entry) end
  end
end

-- What the console calls after somebody has moved a control.
function core.run_controls()
  core.next_slot = core.no_slot -- a stopped function has left its own
  run_changed()
end

local function watch(spec, f)
  local control = add(spec)
  local entry = { id = control.id, control = control, run = f }
  watched[entry.id] = entry
  if spec.kind == BUTTON then entry.last = control.value else run(entry) end
  return control
end

local function expect(value, kind, name, key)
  if type(value) ~= kind then
    error(("%s: opts.%s: %s expected, got %s"):format(name, key, kind, type(value)), 4)
  end
end

local function check(name, opts, known)
  for key in pairs(opts) do
    if not known[key] then
      error(("%s: there is no opts.%s; there are: %s"):format(
        name, key, table.concat(core.keys(known), ", ")), 4)
    end
  end
  expect(opts.name, "string", name, "name")
  if opts.on_change ~= nil then expect(opts.on_change, "function", name, "on_change") end
end

local function slider(opts)
  check("ui.slider", opts, { name = 1, min = 1, max = 1, value = 1, step = 1, on_change = 1 })
  expect(opts.min, "number", "ui.slider", "min")
  expect(opts.max, "number", "ui.slider", "max")
  if not (opts.min < opts.max) then error("ui.slider: opts.min is less than opts.max", 3) end
  local value = opts.value == nil and opts.min or opts.value
  expect(value, "number", "ui.slider", "value")
  local is_whole = math.type(opts.min) == "integer" and math.type(opts.max) == "integer"
    and math.type(value) == "integer" and opts.max - opts.min >= 2
  local step = opts.step or is_whole and 1 or (opts.max - opts.min) / 100
  expect(step, "number", "ui.slider", "step")
  if step <= 0 then error("ui.slider: opts.step is more than 0", 3) end
  return watch({ kind = SLIDER, name = opts.name, min = opts.min, max = opts.max, value = value,
                 step = step }, opts.on_change)
end

local function choice(opts)
  check("ui.choice", opts, { name = 1, choices = 1, value = 1, on_change = 1 })
  expect(opts.choices, "table", "ui.choice", "choices")
  if #opts.choices == 0 then error("ui.choice: opts.choices has no word", 3) end
  local place = opts.value == nil and 1 or nil
  for i, word in ipairs(opts.choices) do
    if word == opts.value then place = i end
  end
  if not place then error("ui.choice: opts.value is none of opts.choices", 3) end
  return watch({ kind = CHOICE, name = opts.name, choices = opts.choices, value = place - 1 },
    opts.on_change)
end

core.doc("ui.slider", "(name, min, max, value, f)",
  "A slider, in the place of one of that name. f(value, control) is called at once and whenever "
    .. "the value changes; of several changes during a call only the newest counts. What show() "
    .. "shows in f replaces what it showed there before. Or one table: name, min, max, value, "
    .. "step, on_change.",
  'ui.slider{ name = "GB/s", min = 1, max = 100, value = 12, on_change = print }')
function ui.slider(name, min, max, value, on_change, ...)
  core.check("ui.slider", ...)
  if type(name) == "table" then return slider(name) end
  return slider{ name = name, min = min, max = max, value = value, on_change = on_change }
end

core.doc("ui.choice", "(name, choices, f)",
  "A choice of words; f as of a slider. Or one table: name, choices, value, on_change.",
  'ui.choice("policy", { "heft", "metis" }, function(name) show(plan[name](g)) end)')
function ui.choice(name, choices, on_change, ...)
  core.check("ui.choice", ...)
  if type(name) == "table" then return choice(name) end
  return choice{ name = name, choices = choices, on_change = on_change }
end

core.doc("ui.button", "(name, f)",
  "A button that calls f when it is pressed. Or one table: name, on_press.",
  'ui.button("Best", function() view.show(1) end)')
function ui.button(name, on_press, ...)
  core.check("ui.button", ...)
  if type(name) == "table" then name, on_press = name.name, name.on_press end
  core.expect(name, "string", 1, "button")
  core.expect(on_press, "function", 2, "button")
  return watch({ kind = BUTTON, name = name }, function() return on_press() end)
end

local methods = core.types.Control.methods
local set = methods.set

function methods:set(value, ...)
  core.check("Control.set", ...)
  set(self, value)
  run_changed()
  return self
end
