-- plot.lua: plot(t, opts): a list of numbers or records, a set of nodes, or runs as a Plot.
local core = ...
local ipairs, pairs, type, tostring = ipairs, pairs, type, tostring
local sort = table.sort

local KINDS = { lines = true, bars = true, scatter = true, histogram = true, heat = true }
local X_NAMES = { x = true, step = true, n = true, i = true }
local known = {
  kind = "string", x = true, y = true, by = true, value = true, title = "string", bins = "number",
  x_label = "string", y_label = "string", value_label = "string", x_unit = "string",
  y_unit = "string", value_unit = "string", log = "string", identity = "boolean",
}

-- The fields of both, of the second where both have one.
local function merged(first, second)
  local all = {}
  for key, value in pairs(first or {}) do all[key] = value end
  for key, value in pairs(second or {}) do all[key] = value end
  return all
end

local function check_options(opts)
  for key, value in pairs(opts) do
    local kind = known[key]
    if not kind then
      error(("opts.%s: plot has no such option; there are: %s"):format(
        tostring(key), table.concat(core.keys(known), ", ")), 4)
    end
    if kind ~= true and type(value) ~= kind then
      error(("opts.%s: %s expected, got %s"):format(key, kind, type(value)), 4)
    end
  end
  if opts.kind and not KINDS[opts.kind] then
    error(("opts.kind: there is no '%s'; there are: bars, heat, histogram, lines, scatter"):format(
      opts.kind), 4)
  end
end

-- --- rows ---------------------------------------------------------------------------------------

local function value_of(row, key)
  if type(key) == "function" then return key(row) end
  return row[key]
end

-- { rows =, columns =, link = } of whatever can be plotted.
local function rows_of(t)
  if core.type(t) == "Set" then
    local rows = {}
    for node in t:each() do rows[#rows + 1] = node end
    return { rows = rows, columns = { "name", "cost" }, link = function(n) return n end }
  end
  if type(t) ~= "table" then return nil end
  if #t == 0 then
    -- { heft = 1.2, metis = 1.4 } or sets by a field: bars, in the order of the keys.
    local keys, rows = {}, {}
    for key in pairs(t) do keys[#keys + 1] = key end
    sort(keys, function(a, b) return tostring(a) < tostring(b) end)
    for i, key in ipairs(keys) do
      local value = t[key]
      if core.type(value) == "Set" then
        rows[i] = { name = tostring(key), nodes = value, count = #value }
      elseif type(value) == "number" then
        rows[i] = { name = tostring(key), value = value }
      else
        return nil
      end
    end
    local y = rows[1] and rows[1].nodes and "count" or "value"
    return #rows > 0 and { rows = rows, columns = { "name", y }, link = core.link_of } or nil
  end
  if type(t[1]) == "number" then
    local rows = {}
    for i, value in ipairs(t) do rows[i] = { i = i, value = value } end
    return { rows = rows, columns = { "i", "value" }, link = core.link_of, is_numbers = true }
  end
  return core.records(t)
end

local function is_number_column(list, key)
  for _, row in ipairs(list.rows) do
    local value = value_of(row, key)
    if value ~= nil then return type(value) == "number" end
  end
  return false
end

local function choose_x(list, opts)
  if opts.x ~= nil then return opts.x end
  if list.is_numbers and opts.kind == "histogram" then return "value" end
  if opts.kind ~= "bars" then
    for _, name in ipairs(list.columns) do
      if X_NAMES[name] and is_number_column(list, name) then return name end
    end
  end
  return list.columns[1]
end

local function choose_y(list, opts, x)
  if type(opts.y) == "table" then return opts.y end
  if opts.y ~= nil then return { opts.y } end
  local names = {}
  for _, key in ipairs(list.columns) do
    if key ~= x and key ~= opts.by and #names < 6 and is_number_column(list, key) then
      names[#names + 1] = key
    end
  end
  return names
end

local function choose_kind(list, opts, x, y)
  if opts.kind then return opts.kind end
  if opts.value ~= nil then return "heat" end
  if #y == 0 then return "histogram" end
  if not is_number_column(list, x) then return "bars" end
  return core.type(list.rows[1]) == "Node" and "scatter" or "lines"
end

-- --- axes ---------------------------------------------------------------------------------------

local function axis(key, label, unit, is_log)
  local name = type(key) == "string" and key or ""
  return { label = label or name, unit = unit or core.unit(name), log = is_log }
end

-- Words of an axis: numbers in their order, texts in the order in which they come.
local function words_of(list, key)
  local values, seen, is_number = {}, {}, true
  for _, row in ipairs(list.rows) do
    local value = value_of(row, key)
    if value ~= nil and not seen[value] then
      seen[value] = true
      values[#values + 1] = value
      is_number = is_number and type(value) == "number"
    end
  end
  if is_number then sort(values) end
  local words, places = {}, {}
  for i, value in ipairs(values) do
    words[i] = core.cell(value, type(key) == "string" and key or "")
    places[value] = i - 1
  end
  return words, places
end

local function label_of(row)
  if core.type(row) == "Node" or core.type(row) == "Run" then return row.name end
  local label = rawget(row, "label") or rawget(row, "name")
  return type(label) == "string" and label or nil
end

local function add_point(series, list, row, x, y, z)
  local n = series.n + 1
  series.n = n
  series.x[n], series.y[n], series.z[n] = x or 0 / 0, y or 0 / 0, z or 0 / 0
  series.labels[n] = label_of(row) or false
  series.links[n] = list.link(row) or false
end

local function new_series(name)
  return { name = name, n = 0, x = {}, y = {}, z = {}, labels = {}, links = {} }
end

-- Lines run from left to right.
local function sort_by_x(series)
  local order = {}
  for i = 1, series.n do order[i] = i end
  sort(order, function(a, b) return series.x[a] < series.x[b] end)
  for _, key in ipairs { "x", "y", "z", "labels", "links" } do
    local sorted = {}
    for i, from in ipairs(order) do sorted[i] = series[key][from] end
    series[key] = sorted
  end
end

-- --- figures ------------------------------------------------------------------------------------

local function name_of(key, i)
  return type(key) == "string" and key or "y" .. (i > 1 and i or "")
end

-- "seed 3" for a number, which says nothing by itself.
local function by_name(value, key)
  local text = core.cell(value, type(key) == "string" and key or "")
  return type(value) == "number" and type(key) == "string" and key .. " " .. text or text
end

-- A series for each y, or for each value of `by`.
local function add_series(spec, list, opts, x, ys)
  local places = spec.x.words and select(2, words_of(list, x))
  local groups, order = {}, {}
  local function group(name)
    if not groups[name] then
      groups[name] = new_series(name)
      order[#order + 1] = groups[name]
    end
    return groups[name]
  end
  for i, y in ipairs(ys) do
    for _, row in ipairs(list.rows) do
      local value = value_of(row, x)
      local by = opts.by ~= nil and by_name(value_of(row, opts.by), opts.by) or nil
      local name = by and (#ys > 1 and by .. ", " .. name_of(y, i) or by) or name_of(y, i)
      local at = places and places[value] or not places and value
      local height = value_of(row, y)
      if type(at) == "number" and (height == nil or type(height) == "number") then
        local series = group(name)
        add_point(series, list, row, at, height)
        if places then series.labels[series.n] = false end
      end
    end
  end
  spec.series = order
end

local function heat_spec(list, opts, x)
  local y, value = opts.y, opts.value
  if type(y) == "table" then y = y[1] end
  if y == nil then
    for _, key in ipairs(list.columns) do
      if key ~= x and key ~= value then y = key break end
    end
  end
  if value == nil then
    for _, key in ipairs(list.columns) do
      if key ~= x and key ~= y and is_number_column(list, key) then value = key break end
    end
  end
  if y == nil or value == nil then
    return nil, "a heat map needs x, y and value: plot(t, { x = \"a\", y = \"b\", value = \"c\" })"
  end
  local spec = {
    kind = "heat",
    x = axis(x, opts.x_label, ""), y = axis(y, opts.y_label, ""),
    z = axis(value, opts.value_label, opts.value_unit, opts.log and opts.log:find "v" ~= nil),
  }
  local x_words, x_places = words_of(list, x)
  local y_words, y_places = words_of(list, y)
  spec.x.words, spec.y.words = x_words, y_words
  local series = new_series ""
  for _, row in ipairs(list.rows) do
    local at_x, at_y = x_places[value_of(row, x)], y_places[value_of(row, y)]
    if at_x and at_y then
      add_point(series, list, row, at_x, at_y, value_of(row, value))
      series.labels[series.n] = false
    end
  end
  spec.series = { series }
  return spec
end

local function spec_of(list, opts)
  local x = choose_x(list, opts)
  if opts.kind == "heat" or opts.value ~= nil then return heat_spec(list, opts, x) end
  if opts.kind == "histogram" and opts.x == nil and opts.y ~= nil then
    x = type(opts.y) == "table" and opts.y[1] or opts.y
  end
  local ys = opts.kind ~= "histogram" and choose_y(list, opts, x) or {}
  if opts.kind == nil and core.type(list.rows[1]) == "Node" and opts.y == nil then ys = {} end
  local kind = choose_kind(list, opts, x, ys)
  local is_log_x = opts.log ~= nil and opts.log:find "x" ~= nil
  local is_log_y = opts.log ~= nil and opts.log:find "y" ~= nil
  if kind == "histogram" then
    if not is_number_column(list, x) then
      x = opts.x == nil and list.columns[2] or x
    end
    local spec = { kind = kind, bins = opts.bins, x = axis(x, opts.x_label, opts.x_unit, is_log_x),
                   y = { label = opts.y_label or "count", unit = "" } }
    add_series(spec, list, opts, x, { x })
    if #spec.series == 1 then spec.series[1].name = "" end
    return spec
  end
  if #ys == 0 then return nil, "there is no column of numbers to plot" end
  local unit = type(ys[1]) == "string" and core.unit(ys[1]) or ""
  for _, y in ipairs(ys) do
    if type(y) ~= "string" or core.unit(y) ~= unit then unit = "" end
  end
  local spec = {
    kind = kind,
    x = axis(x, opts.x_label, opts.x_unit, is_log_x),
    y = axis(#ys == 1 and ys[1] or "", opts.y_label, opts.y_unit or unit, is_log_y),
  }
  if kind == "bars" or not is_number_column(list, x) then
    spec.x.words = words_of(list, x)
    if kind == "bars" and type(x) == "string" and (x == "name" or x == "i") then
      spec.x.label = opts.x_label or ""
    end
  end
  add_series(spec, list, opts, x, ys)
  if kind == "lines" then
    for _, series in ipairs(spec.series) do sort_by_x(series) end
  end
  return spec
end

local function is_training(t)
  return core.type(t) == "Job" or core.type(t) == "Trainer"
end

-- The file of a training, or what a policy without a network learns.
local function file_of(training)
  return training.output or training.title
end

-- Updates and trials of several trainings, with the names of their files.
local function rows_of_trainings(trainings)
  local rows, columns = {}, {}
  for i, training in ipairs(trainings) do
    local name = file_of(training):match "[^/]*$"
    for k = 1, i - 1 do -- two files of one name
      if file_of(trainings[k]):match "[^/]*$" == name then name = file_of(training) end
    end
    for _, points in ipairs { training:curve(), training:trials() } do
      for _, row in ipairs(points) do
        row.training = name
        rows[#rows + 1] = row
        for key in pairs(row) do columns[key] = true end
      end
    end
  end
  return rows, columns
end

local function make(t, opts)
  opts = opts or {}
  check_options(opts)
  if is_training(t) then t = t:curve() end
  if type(t) == "table" and #t > 0 and is_training(t[1]) then
    for i, training in ipairs(t) do
      if not is_training(training) then
        return nil, ("a list of trainings expected, got %s at %d"):format(core.type(training), i)
      end
    end
    local rows, columns = rows_of_trainings(t)
    local y = columns.mean_ratio and "mean_ratio" or columns.reward and "reward" or nil
    opts = merged({ x = "step", y = y, by = "training" }, opts)
    if opts.y then
      local measured = {}
      for _, row in ipairs(rows) do
        if type(opts.y) ~= "string" or row[opts.y] ~= nil then measured[#measured + 1] = row end
      end
      rows = measured
    end
    t = rows
  end
  local defaults = type(t) == "table" and core.meta(t, "plot")
  if defaults and opts.x == nil and opts.y == nil and opts.by == nil and opts.value == nil
    and (opts.kind == nil or opts.kind == (defaults.kind or "lines")) then
    opts = merged(defaults, opts)
  end
  local list = rows_of(t)
  if not list or #list.rows == 0 then
    return nil, "there is nothing to plot: a list of numbers or records, a set or runs expected"
  end
  local spec, why = spec_of(list, opts)
  if not spec then return nil, why end
  spec.title = opts.title or ""
  spec.identity = opts.identity
  return core.figure(spec)
end

function core.types.Measurement.methods:plot(...)
  core.check("Measurement.plot", ...)
  return make(self:plans(), {
    kind = "scatter", x = "predicted", y = "measured", x_unit = "s", y_unit = "s",
    title = "Makespans, predicted and measured", identity = true,
  })
end

plot = {}

for kind in pairs(KINDS) do
  plot[kind] = function(t, opts, ...)
    core.check("plot." .. kind, ...)
    if opts ~= nil then core.expect(opts, "table", 2, kind) end
    return make(t, merged(opts, { kind = kind }))
  end
end

setmetatable(plot, {
  __call = function(_, t, opts, ...)
    core.check("plot", ...)
    if opts ~= nil then core.expect(opts, "table", 2, "plot") end
    return make(t, opts)
  end,
})

-- --- showing ------------------------------------------------------------------------------------

-- The slot of what is shown next: 0 adds to the output (controls.lua has others).
function core.no_slot()
  return 0
end

core.next_slot = core.no_slot

local shown -- the last value that show() has shown: a prompt does not show it again

function core.was_shown(value)
  return value ~= nil and rawequal(value, shown)
end

function core.forget_shown()
  shown = nil
end

-- Runs, graphs and comparisons are pictures.
local function as_shown(value, opts)
  local kind = core.type(value)
  if kind == "Plan" then
    value, kind = sim.run(value), "Run"
  end
  if kind == "Diff" then return core.picture_of(value) end
  if kind ~= "Run" and kind ~= "Graph" then return value end
  local all = merged(opts)
  if kind == "Run" then
    all.run = value
    all.view = all.view or "timeline"
  else
    all.graph = value
  end
  return view.picture(all)
end

function show(value, opts, ...)
  core.check("show", ...)
  local figure, why = as_shown(value, opts)
  if figure == nil then return nil, why end
  if not core.display(figure, core.next_slot()) then core.write(core.show(figure) .. "\n") end
  shown = figure
  return figure
end
