-- plot.lua: plot(t, opts): a list of numbers or records, a set of nodes, or runs as a Plot.
local core = ...
local fail = core.fail
local ipairs, pairs, type, tostring = ipairs, pairs, type, tostring
local sort = table.sort

local KINDS = { lines = true, bars = true, scatter = true, histogram = true, heat = true }
local NOTHING = {} -- instead of a value that cannot be a key
local X_NAMES = { x = true, step = true, n = true, i = true }
local known = {
  kind = "string", x = true, y = true, by = true, value = true, title = "string", bins = "number",
  x_label = "string", y_label = "string", value_label = "string", x_unit = "string",
  y_unit = "string", value_unit = "string", log = "string", identity = "boolean", reduce = true,
  error = "string", facet = "string", from = true,
}

local REDUCERS = core.reducers -- one number of those of the same place

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
  if opts.reduce ~= nil and type(opts.reduce) ~= "function" and not REDUCERS[opts.reduce] then
    error(("opts.reduce: %s is none of %s, and no function of a list of numbers"):format(
      type(opts.reduce) == "string" and "'" .. opts.reduce .. "'" or type(opts.reduce),
      table.concat(core.keys(REDUCERS), ", ")), 4)
  end
end

-- --- rows ---------------------------------------------------------------------------------------

local function value_of(row, key)
  if type(key) == "function" then return key(row) end
  return row[key]
end

-- What tells the rows of an axis apart: two runs of one name are two runs.
local function place_of(row, key)
  if key == "name" and (core.type(row) == "Run" or core.type(row) == "Node") then return row end
  return value_of(row, key)
end

-- { rows =, columns =, link = } of whatever can be plotted; parameters: those of a sweep, by name.
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
  local list = core.records(t)
  if not list and core.meta(t, "plot") then -- a list that is text, too
    list = { rows = t, columns = core.keys_of(t), link = core.link_of }
  end
  if list then
    list.parameters = core.meta(t, "parameters")
    list.plot = core.meta(t, "plot")
    list.value = core.meta(t, "value")
  end
  return list
end

-- Parameters of a sweep are axes; its results are what is drawn.
local function is_parameter(list, key)
  return list.parameters ~= nil and list.parameters[key] == true
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
  if list.parameters and opts.kind == "histogram" then
    for _, name in ipairs(list.columns) do
      if not is_parameter(list, name) and is_number_column(list, name) then return name end
    end
  end
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
  if list.plot and list.plot.kind ~= "heat" and list.plot.y then return { list.plot.y } end
  local names = {}
  for _, key in ipairs(list.columns) do
    if key ~= x and key ~= opts.by and #names < 6 and not is_parameter(list, key)
      and is_number_column(list, key) then
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

-- The unit of a column: the list's own, or that of its name.
local function unit_of(list, key)
  if type(key) ~= "string" then return "" end
  return list.units and list.units[key] or core.unit(key)
end

-- "mean makespan" of a summary; nil of other lists.
local function value_label(list, ys)
  return #ys == 1 and ys[1] == "mean" and list.value and "mean " .. list.value or nil
end

local function axis(list, key, label, unit, is_log)
  return { label = label or type(key) == "string" and key or "", unit = unit or unit_of(list, key),
           log = is_log }
end

-- Words of an axis: numbers in their order, texts in the order in which they come.
local function words_of(list, key)
  local values, seen, is_number = {}, {}, true
  for _, row in ipairs(list.rows) do
    local value = place_of(row, key)
    if value ~= nil and value == value and not seen[value] then
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

-- z: the colour in a heat map, where a bar begins.
local function add_point(series, list, row, x, y, z, half)
  local n = series.n + 1
  series.n = n
  series.x[n], series.y[n], series.z[n] = x or 0 / 0, y or 0 / 0, z or 0 / 0
  if half then
    series.errors = series.errors or {}
    series.errors[n] = half
  end
  series.labels[n] = row and label_of(row) or false
  series.links[n] = row and list.link(row) or false
end

local function new_series(name)
  return { name = name, n = 0, x = {}, y = {}, z = {}, labels = {}, links = {} }
end

-- Lines run from left to right.
local function sort_by_x(series)
  local order = {}
  for i = 1, series.n do order[i] = i end
  sort(order, function(a, b) return series.x[a] < series.x[b] end)
  for _, key in ipairs { "x", "y", "z", "labels", "links", "errors" } do
    local sorted, values = {}, series[key]
    for i, from in ipairs(order) do sorted[i] = values and values[from] end
    series[key] = values and sorted
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

-- A series for each combination of the values of several columns, none of which is drawn itself.
local function by_several(list, opts)
  local keys, is_key, copy = opts.by, {}, {}
  for _, key in ipairs(keys) do is_key[key] = true end
  for key, value in pairs(list) do copy[key] = value end
  copy.columns = {}
  for _, key in ipairs(list.columns) do
    if not is_key[key] then copy.columns[#copy.columns + 1] = key end
  end
  return copy, merged(opts, { by = function(row)
    local words = {}
    for i, key in ipairs(keys) do words[i] = by_name(value_of(row, key), key) end
    return table.concat(words, ", ")
  end })
end

-- The column that tells rows of the same place apart: a parameter, a text or a whole number; nil
-- without one.
local function telling(list, rows, taken)
  for _, key in ipairs(list.columns) do
    local kind = math.type(rows[1][key]) or type(rows[1][key])
    if not taken[key] and (is_parameter(list, key) or not list.parameters and kind ~= "float") then
      for _, row in ipairs(rows) do
        if row[key] ~= rows[1][key] then return key end
      end
    end
  end
end

local function say_place(keys, row)
  local words = {}
  for i, key in ipairs(keys) do
    local name = type(key) == "string" and key or i == 1 and "x" or "y"
    words[i] = name .. " = " .. core.cell(value_of(row, key), name)
  end
  return table.concat(words, " and ")
end

-- The words to type where several rows have the same place.
local function refuse(list, kind, keys, place, taken)
  local rows, by = place.rows, nil
  if kind ~= "heat" and not taken.by then by = telling(list, rows, taken) end
  return ("%d rows have %s: add reduce = \"mean\" (min, max, sum, count, or a function of the list "
    .. "of numbers)%s%s"):format(#rows, say_place(keys, rows[1]),
    by and (", by = \"%s\" for a series of each"):format(by) or "",
    kind == "lines" and ", or kind = \"scatter\" for all points" or "")
end

local ERRORS = { ci95 = true, spread = true }

local function has_column(list, key)
  for _, row in ipairs(list.rows) do
    if row[key] ~= nil then return true end
  end
  return false
end

local function reduced(reduce, values)
  if type(reduce) == "string" then return REDUCERS[reduce](values) end
  local number = reduce(values)
  if type(number) ~= "number" then
    error(("opts.reduce: the function returned %s, a number expected"):format(type(number)), 0)
  end
  return number
end

-- Numbers of rows, collected by place: at most one point is drawn at each.
local function new_places()
  return { order = {}, of = {} }
end

local function collect(places, x, y, row, number)
  local column = places.of[x]
  if not column then
    column = {}
    places.of[x] = column
  end
  local place = column[y]
  if not place then
    place = { x = x, y = y, rows = {}, values = {} }
    column[y] = place
    places.order[#places.order + 1] = place
  end
  if number ~= nil and number == number then
    place.rows[#place.rows + 1], place.values[#place.values + 1] = row, number
  end
  place.first = place.first or row
end

-- Half the length of the error bar of a place: a column's number, or of several rows what
-- statistics.summary says of their numbers.
local function error_of(place, name)
  local first = place.rows[1]
  if first and type(first[name]) == "number" then return first[name] end
  if not ERRORS[name] or #place.values < 2 then return nil end
  return statistics.summary(place.values)[name]
end

-- The rows to draw: { x, y, row, number, half } of each place, or nil and what to type instead.
local function settle(places, list, opts, kind, keys, taken)
  local points = {}
  local reduce = opts.reduce or ERRORS[opts.error] and not has_column(list, opts.error) and "mean"
  for _, place in ipairs(places.order) do
    local number, row = place.values[1], place.rows[1] or place.first
    for _, value in ipairs(place.values) do -- equal ones are one
      if value ~= number and not reduce then
        return nil, refuse(list, kind, keys, place, taken)
      end
    end
    if reduce and #place.values > 0 then
      number = reduced(reduce, place.values)
      row = #place.values == 1 and row or nil
    end
    points[#points + 1] = { x = place.x, y = place.y, row = row, number = number,
                            half = opts.error and error_of(place, opts.error) }
  end
  return points
end

-- The points of each series, by series; only bars and lines have one number at a place.
local function series_of(list, opts, x, ys, places)
  local groups, order = {}, {}
  for i, y in ipairs(ys) do
    for _, row in ipairs(list.rows) do
      local value, height = place_of(row, x), value_of(row, y)
      local at = places and places[value] or not places and value
      local by = opts.by ~= nil and value_of(row, opts.by)
      local key = (by == nil or by ~= by) and NOTHING or by
      if type(at) == "number" and at == at and (height == nil or type(height) == "number") then
        local of_y = groups[i] or {}
        groups[i] = of_y
        local group = of_y[key]
        if not group then
          local name = opts.by ~= nil and by_name(by, opts.by) or name_of(y, i)
          if opts.by ~= nil and #ys > 1 then name = name .. ", " .. name_of(y, i) end
          group = { name = name, rows = {} }
          of_y[key] = group
          order[#order + 1] = group
        end
        group.rows[#group.rows + 1] = { x = at, row = row, number = height }
      end
    end
  end
  return order
end

-- A series for each y, or for each value of `by`. False and what to type if a place has several
-- numbers.
local function add_series(spec, list, opts, x, ys)
  local places = spec.x.words and select(2, words_of(list, x))
  local taken = { by = opts.by ~= nil }
  if type(x) == "string" then taken[x] = true end
  for _, y in ipairs(ys) do
    if type(y) == "string" then taken[y] = true end
  end
  spec.series = {}
  for _, group in ipairs(series_of(list, opts, x, ys, places)) do
    local series, points = new_series(group.name), group.rows
    if spec.kind == "bars" or spec.kind == "lines" then
      local found, why = new_places(), nil
      for _, point in ipairs(points) do collect(found, point.x, 0, point.row, point.number) end
      points, why = settle(found, list, opts, spec.kind, { x }, taken)
      if not points then return false, why end
    end
    for _, point in ipairs(points) do
      local from = opts.from ~= nil and point.row and value_of(point.row, opts.from) or nil
      add_point(series, list, point.row, point.x, point.number, from, point.half)
      if places then series.labels[series.n] = false end
    end
    spec.series[#spec.series + 1] = series
  end
  return true
end

local function heat_spec(list, opts, x)
  local y, value = opts.y, opts.value
  if type(y) == "table" then y = y[1] end
  if y == nil then
    for _, key in ipairs(list.columns) do
      if key ~= x and key ~= value and (not list.parameters or is_parameter(list, key)) then
        y = key
        break
      end
    end
  end
  if value == nil then
    for _, key in ipairs(list.columns) do
      if key ~= x and key ~= y and not is_parameter(list, key) and is_number_column(list, key) then
        value = key
        break
      end
    end
  end
  if y == nil or value == nil then
    return fail("a heat map needs x, y and value: plot(t, { x = \"a\", y = \"b\", value = \"c\" })")
  end
  local spec = {
    kind = "heat",
    x = axis(list, x, opts.x_label, ""), y = axis(list, y, opts.y_label, ""),
    z = axis(list, value, opts.value_label, opts.value_unit, opts.log and opts.log:find "v" ~= nil),
  }
  local x_words, x_places = words_of(list, x)
  local y_words, y_places = words_of(list, y)
  spec.x.words, spec.y.words = x_words, y_words
  local series, places = new_series "", new_places()
  for _, row in ipairs(list.rows) do
    local at_x, at_y = x_places[place_of(row, x)], y_places[place_of(row, y)]
    local number = value_of(row, value)
    if at_x and at_y and (number == nil or type(number) == "number") then
      collect(places, at_x, at_y, row, number)
    end
  end
  local points, why = settle(places, list, opts, "heat", { x, y }, {})
  if not points then return nil, why end
  for _, point in ipairs(points) do
    add_point(series, list, point.row, point.x, point.y, point.number)
    series.labels[series.n] = false
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
  if opts.reduce ~= nil and kind ~= "bars" and kind ~= "lines" then
    return fail(("opts.reduce: kind %s draws every row; bars, lines and heat reduce"):format(kind))
  end
  if opts.from ~= nil and kind ~= "bars" then
    return fail(("opts.from: bars begin somewhere, a plot of kind %s has none"):format(kind))
  end
  if opts.error ~= nil then
    if kind ~= "bars" and kind ~= "lines" then
      return fail(("opts.error: bars and lines have error bars, a plot of kind %s has "
        .. "none"):format(kind))
    end
    if not ERRORS[opts.error] and not has_column(list, opts.error) then
      return fail(("opts.error: '%s' is no column of the rows, and neither ci95 nor "
        .. "spread"):format(opts.error))
    end
  end
  local is_log_x = opts.log ~= nil and opts.log:find "x" ~= nil
  local is_log_y = opts.log ~= nil and opts.log:find "y" ~= nil
  if kind == "histogram" then
    if not is_number_column(list, x) then
      x = opts.x == nil and list.columns[2] or x
    end
    local spec = { kind = kind, bins = opts.bins,
                   x = axis(list, x, opts.x_label, opts.x_unit, is_log_x),
                   y = { label = opts.y_label or "count", unit = "" } }
    add_series(spec, list, opts, x, { x })
    if #spec.series == 1 then spec.series[1].name = "" end
    return spec
  end
  if #ys == 0 then return fail("there is no column of numbers to plot") end
  local unit = unit_of(list, ys[1])
  for _, y in ipairs(ys) do
    if unit_of(list, y) ~= unit then unit = "" end
  end
  local spec = {
    kind = kind,
    x = axis(list, x, opts.x_label, opts.x_unit, is_log_x),
    y = axis(list, #ys == 1 and ys[1] or "", opts.y_label or value_label(list, ys),
      opts.y_unit or unit, is_log_y),
  }
  if kind == "bars" or not is_number_column(list, x) then
    spec.x.words = words_of(list, x)
    if kind == "bars" and type(x) == "string" and (x == "name" or x == "i") then
      spec.x.label = opts.x_label or ""
    end
  end
  local is_clear, why = add_series(spec, list, opts, x, ys)
  if not is_clear then return nil, why end
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

local make

local facets_meta = {
  kind = "Plots",
  __tostring = function(self)
    local texts = {}
    for i, figure in ipairs(self) do texts[i] = tostring(figure) end
    return table.concat(texts, "\n")
  end,
}

-- A plot for each value of a column, in the order in which they come.
local function make_facets(t, opts)
  local list = rows_of(t)
  local _, places = words_of(list or { rows = {} }, opts.facet)
  local parts, plots, rest = {}, {}, merged(opts)
  rest.facet = nil
  for value, place in pairs(places) do parts[place + 1] = { value = value, rows = {} } end
  for _, row in ipairs(list and list.rows or {}) do
    local place = places[value_of(row, opts.facet)]
    if place then table.insert(parts[place + 1].rows, row) end
  end
  if #parts == 0 then return fail(("opts.facet: no row has a value of '%s'"):format(opts.facet)) end
  for i, part in ipairs(parts) do
    local columns = {}
    for _, key in ipairs(list.columns) do
      if key ~= opts.facet then columns[#columns + 1] = key end
    end
    local rows = core.table(part.rows, { columns = columns, units = list.units,
      parameters = list.parameters, plot = list.plot and merged(list.plot) })
    if list.plot and list.plot.by == opts.facet then getmetatable(rows).plot.by = nil end
    rest.title = (opts.title and opts.title .. ": " or "") .. by_name(part.value, opts.facet)
    local figure, why = make(rows, rest)
    if not figure then return nil, why end
    plots[i] = figure
  end
  return setmetatable(plots, facets_meta)
end

function make(t, opts)
  opts = opts or {}
  check_options(opts)
  if opts.facet then return make_facets(t, opts) end
  if is_training(t) then t = t:curve() end
  if type(t) == "table" and #t > 0 and is_training(t[1]) then
    for i, training in ipairs(t) do
      if not is_training(training) then
        return fail(("a list of trainings expected, got %s at %d"):format(core.type(training), i))
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
    return fail("there is nothing to plot: a list of numbers or records, a set or runs expected")
  end
  if type(opts.by) == "table" then list, opts = by_several(list, opts) end
  local spec, why = spec_of(list, opts)
  if not spec then return nil, why end
  spec.title = opts.title or ""
  spec.identity = opts.identity
  return core.figure(spec)
end

core.doc("Measurement.plot", "()",
  "A plot of the measured makespans over the predicted ones, with the line on which both agree.",
  "show(m:plot())")
function core.types.Measurement.methods:plot(...)
  core.check("Measurement.plot", ...)
  return make(self:plans(), {
    kind = "scatter", x = "predicted", y = "measured", x_unit = "s", y_unit = "s",
    title = "Makespans, predicted and measured", identity = true,
  })
end

core.doc("plot", "(t, opts)",
  "A plot of a list of numbers or records, of nodes, runs, or a table of numbers or sets by name; "
    .. "opts: kind (lines, bars, scatter, histogram, heat), x, y (a field, a function or a list of "
    .. "them), by (a field, or a list of them: a series for each of its values), value (of a heat "
    .. "map), reduce (mean, geometric, median, min, max, sum, count or a function: one number of "
    .. "those of the same x in bars, lines and heat maps), error (of bars and lines: a field that "
    .. "is half the length of an error bar, or ci95 or spread of the rows of the same x), from (of "
    .. "bars: a field, where they begin in place of 0, as in the waterfall of d:why() and "
    .. "compare.causes), facet (a field: a list of plots, one for each of its values), title, "
    .. "x_label, y_label, value_label, x_unit, y_unit, value_unit (s and B take what fits, such as "
    .. "ms), log (x, y or xy), identity (a line on which x = y), bins. In the window a click on a "
    .. "point selects the nodes or shows the run.",
  'plot(g:nodes(), { x = "cost", y = "memory", log = "xy" })')
plot = {}

core.doc("plot.bars", "(t, opts)",
  "A plot of bars; opts as of plot.",
  'plot.bars(g:nodes():by "op")')
core.doc("plot.heat", "(t, opts)",
  "Colours over two parameters; opts as of plot: x, y, value.",
  'plot.heat(rows, { x = "layers", y = "devices", value = "makespan" })')
core.doc("plot.histogram", "(t, opts)",
  "How many values lie where; opts as of plot.",
  'plot.histogram(g:nodes(), { x = "cost", log = "x" })')
core.doc("plot.lines", "(t, opts)", "A plot of lines; opts as of plot.", "plot.lines(j:curve())")
core.doc("plot.scatter", "(t, opts)",
  "A plot of points; opts as of plot.",
  'plot.scatter(g:nodes(), { x = "cost", y = "memory" })')
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

-- The last values that show() and pp() have shown: a prompt does not show them again. It forgets
-- them without new memory, of which there may be none before its line.
local shown, MOST_SHOWN, n_shown = {}, 8, 0

function core.remember_shown(value)
  if not core.at_prompt then return end
  shown[n_shown % MOST_SHOWN + 1] = value
  n_shown = n_shown + 1
end

function core.was_shown(value)
  for i = 1, MOST_SHOWN do
    if value ~= nil and rawequal(value, shown[i]) then return true end
  end
  return false
end

function core.forget_shown()
  for i = 1, MOST_SHOWN do shown[i] = nil end
  n_shown = 0
end

-- Runs, graphs and comparisons are pictures.
local function as_shown(value, opts)
  local kind = core.type(value)
  if kind == "Plan" then
    value, kind = sim.run(value), "Run"
  end
  if kind == "Diff" then return core.picture_of(value) end
  if kind ~= "Run" and kind ~= "Graph" then return value end
  local all = core.is_figures(opts) and {} or merged(opts)
  if kind == "Run" then
    all.run = value
    all.view = all.view or "timeline"
  else
    all.graph = value
  end
  return view.picture(all)
end

core.doc("show", "(x, opts)",
  "Shows a plot, a list of records or nodes, or a picture of a run, a plan, a graph or a "
    .. "comparison in the console, and returns it; without a window, it is printed as text. opts "
    .. "of pictures: view (graph, timeline), color.",
  "show(r)")
function show(value, opts, ...)
  core.check("show", ...)
  if value == nil then -- as of a plot that failed
    error("show: there is nothing to show" .. (type(opts) == "string" and ": " .. opts or ""), 2)
  end
  local figure, why = as_shown(value, opts)
  if figure == nil then return nil, why end
  if not core.display(figure, core.next_slot()) then core.write(core.show(figure) .. "\n") end
  core.remember_shown(figure)
  return figure
end
