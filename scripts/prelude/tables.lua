-- tables.lua: Table: rows of records with columns of one type and unit each.
--
-- A Table is a list of records with a metatable: columns (names in their order), units (by name),
-- parameters (names that were asked for, not found), plot (options that plot begins with), common
-- (names whose numbers are written in the unit of the first). Rows are
-- in the order they were given; what a method returns is a new Table. They stay plain Lua tables,
-- so that t[i].makespan and ipairs work as ever and a row may hold its run.
local core = ...
local fail = core.fail
local ipairs, pairs, type, tostring, error = ipairs, pairs, type, tostring, error
local concat, sort = table.concat, table.sort

local methods = {}
core.types.Table = { methods = methods, fields = {}, setters = {}, variable = "t" }
core.doc("Table", "", "Rows of records, with columns of a type and a unit each.",
  't = records{ { policy = "heft", makespan = 0.1 } }')

-- Makes a list of records a Table; the fields of the metatable are above.
function core.table(rows, meta)
  meta.kind, meta.__index, meta.__tostring = "Table", methods, core.show
  return setmetatable(rows, meta)
end

function core.is_table(value)
  return type(value) == "table" and core.meta(value, "kind") == "Table"
end

local function columns_of(t)
  return core.meta(t, "columns") or core.keys_of(t) or {}
end

local function unit_of(t, key)
  local units = core.meta(t, "units")
  return units and units[key] or core.unit(key)
end
core.columns_of, core.unit_of = columns_of, unit_of

-- What this module does to a row is done to a copy.
local function copy_of(row)
  local copy = {}
  for key, value in pairs(row) do copy[key] = value end
  return copy
end

-- Other rows with columns of a Table, or some, and what is known of them.
local function derive(t, rows, columns)
  local parameters = core.meta(t, "parameters")
  return core.table(rows, {
    columns = columns or columns_of(t), units = core.meta(t, "units"), parameters = parameters,
    common = core.meta(t, "common"),
  })
end

local function has(list, word)
  for _, item in ipairs(list) do
    if item == word then return true end
  end
  return false
end

core.has = has

-- "a" or { "a", "b" } as a list of columns. Raises at the line that called the method unless they
-- are there.
local function check_columns(t, keys, name, level)
  local columns = columns_of(t)
  if keys == nil then
    error(("t:%s: the name of a column expected; there are: %s"):format(name,
      concat(columns, ", ")), level or 3)
  end
  if type(keys) ~= "table" then keys = { keys } end
  for _, key in ipairs(keys) do
    if not has(columns, key) then
      error(("t:%s: there is no column '%s'; there are: %s"):format(name, tostring(key),
        concat(columns, ", ")), level or 3)
    end
  end
  return keys
end

local function check_column(t, key, name)
  if type(key) == "table" then
    error(("t:%s: the name of one column expected, got a list"):format(name), 3)
  end
  check_columns(t, key, name, 4)
  return key
end

local function check_options(opts, known, name, level)
  level = level or 3
  if type(opts) ~= "table" then error(("t:%s: a table of options expected"):format(name), level) end
  for key in pairs(opts) do
    if not has(known, key) then
      error(("opts.%s: t:%s has no such option; there are: %s"):format(tostring(key), name,
        concat(known, ", ")), level)
    end
  end
end

core.check_table_columns, core.check_table_options = check_columns, check_options

-- Values of some columns as one key; equal ones alone have equal keys.
local function key_of(row, keys)
  local parts = {}
  for i, key in ipairs(keys) do
    local value = row[key]
    if math.type(value) == "float" then value = ("%.17g"):format(value) end
    parts[i] = type(row[key]) .. tostring(value)
  end
  return concat(parts, "\0")
end

-- { first row, rows } of all rows that have the same values of some columns, in their order.
local function groups_of(t, keys)
  local groups, by_key = {}, {}
  for _, row in ipairs(t) do
    local key = key_of(row, keys)
    local group = by_key[key]
    if not group then
      group = { first = row, rows = {} }
      by_key[key] = group
      groups[#groups + 1] = group
    end
    group.rows[#group.rows + 1] = row
  end
  return groups
end

-- Numbers of a column, those that are there.
local function numbers_of(rows, key, name)
  local numbers = {}
  for _, row in ipairs(rows) do
    local value = row[key]
    if type(value) == "number" then
      if value == value then numbers[#numbers + 1] = value end
    elseif value ~= nil then
      error(("t:%s: column '%s' has a %s, numbers are needed"):format(name, key, type(value)), 3)
    end
  end
  return numbers
end

-- --- making --------------------------------------------------------------------------------------

local KINDS = { number = "number", string = "text", boolean = "boolean" }

-- The kind of the values of a column; "mixed" of several.
local function kind_of(rows, key)
  local kind
  for _, row in ipairs(rows) do
    if row[key] ~= nil then
      local found = KINDS[type(row[key])] or "object"
      if kind and kind ~= found then return "mixed" end
      kind = found
    end
  end
  return kind or "empty"
end

core.kind_of_column = kind_of

-- Nodes and runs as records of their fields.
local function record_of(value, keys)
  local kind = core.type(value)
  if kind ~= "Node" and kind ~= "Run" then return value end
  local row = { [kind:lower()] = value }
  for _, key in ipairs(keys) do row[key] = value[key] end
  return row
end

records = {}
core.doc("records", "(rows, opts)",
  "A Table of a list of records, of nodes or of runs. opts: columns (their names in order), units "
    .. "(by name: s, B or any word). A column has values of one kind.",
  't = records({ { policy = "heft", seed = 1, makespan = 0.1 } }, { units = { seed = "" } })')
local function make_records(rows, opts)
  opts = opts or {}
  check_options(opts, { "columns", "units" }, "records")
  if core.type(rows) == "Set" then
    local nodes = {}
    for node in rows:each() do nodes[#nodes + 1] = node end
    rows = nodes
  end
  local list = core.records(rows)
  local columns = opts.columns or list and list.columns or core.keys_of(rows)
  local all = {}
  for i, row in ipairs(rows) do
    row = record_of(row, columns)
    if type(row) ~= "table" then
      error(("records: row %d is a %s, a table of values by name expected"):format(i, type(row)), 3)
    end
    all[i] = row
  end
  local t = core.table(all, { columns = columns or {}, units = opts.units or {},
    parameters = core.meta(rows, "parameters") })
  for _, key in ipairs(columns or {}) do
    if kind_of(t, key) == "mixed" then
      error(("records: column '%s' has values of several kinds"):format(key), 3)
    end
  end
  return t
end
setmetatable(records, {
  __call = function(_, rows, opts, ...)
    core.check("records", ...)
    if core.type(rows) ~= "Set" then
      core.expect(rows, "table", 1, "records", "list of records")
    end
    local t = make_records(rows, opts) -- no tail call, for the place of mistakes
    return t
  end,
})

core.doc("Table.columns", "()", "A row for each column: name, kind (number, text, boolean), unit.",
  "t:columns()")
function methods:columns(...)
  core.check("Table.columns", ...)
  local rows = {}
  for i, key in ipairs(columns_of(self)) do
    rows[i] = { name = key, kind = kind_of(self, key), unit = unit_of(self, key) }
  end
  return core.table(rows, { columns = { "name", "kind", "unit" } })
end

core.doc("Table.values", "(column)", "The values of a column that are there, a list.",
  't:values "makespan"')
function methods:values(column, ...)
  core.check("Table.values", ...)
  check_column(self, column, "values")
  local values = {}
  for _, row in ipairs(self) do values[#values + 1] = row[column] end
  return values
end

-- --- choosing and ordering -----------------------------------------------------------------------

core.doc("Table.choose", "(columns)", "The Table with these columns alone, in this order.",
  't:choose{ "policy", "makespan" }')
function methods:choose(columns, ...)
  core.check("Table.choose", ...)
  columns = check_columns(self, columns, "choose")
  local rows = {}
  for i, row in ipairs(self) do
    rows[i] = { run = row.run, node = row.node, nodes = row.nodes, set = row.set }
    for _, key in ipairs(columns) do rows[i][key] = row[key] end
  end
  return derive(self, rows, columns)
end

core.doc("Table.filter", "(f or values)",
  "The rows for which a function is true, or that have these values.",
  't:filter{ policy = "heft" }')
function methods:filter(wanted, ...)
  core.check("Table.filter", ...)
  local is_wanted = wanted
  if type(wanted) == "table" then
    for key in pairs(wanted) do check_column(self, key, "filter") end
    is_wanted = function(row)
      for key, value in pairs(wanted) do
        if row[key] ~= value then return false end
      end
      return true
    end
  end
  core.expect(is_wanted, "function", 1, "filter", "function or table of values")
  local rows = {}
  for _, row in ipairs(self) do
    if is_wanted(row) then rows[#rows + 1] = row end
  end
  return derive(self, rows)
end

-- Numbers before texts before others; nothing is last.
local ORDER = { number = 1, string = 2, boolean = 3, ["nil"] = 5 }

local function is_less(a, b)
  local ka, kb = type(a), type(b)
  if ka ~= kb then return (ORDER[ka] or 4) < (ORDER[kb] or 4) end
  if ka == "number" or ka == "string" then return a < b end
  return ka == "boolean" and not a and b
end

core.doc("Table.sort", "(columns)",
  "The rows in order of a column, or of several: { \"policy\", \"-makespan\" }; - is from large to "
    .. "small. Equal rows stay as they are.",
  't:sort "makespan"')
function methods:sort(columns, ...)
  core.check("Table.sort", ...)
  local keys, is_down = {}, {}
  for i, word in ipairs(type(columns) == "table" and columns or { columns }) do
    keys[i] = tostring(word):gsub("^%-", "")
    is_down[i] = keys[i] ~= word
  end
  check_columns(self, keys, "sort")
  local rows = table.move(self, 1, #self, 1, {})
  sort(rows, function(a, b)
    for i, key in ipairs(keys) do
      local x, y = a[key], b[key]
      if is_down[i] and x ~= nil and y ~= nil then x, y = y, x end
      if is_less(x, y) then return true end
      if is_less(y, x) then return false end
    end
    return false
  end)
  return derive(self, rows)
end

core.doc("Table.add", "(column, f, unit)",
  "The Table with one more column, of what a function returns of each row.",
  't:add("ms", function(row) return row.makespan * 1e3 end)')
function methods:add(column, f, unit, ...)
  core.check("Table.add", ...)
  core.expect(column, "string", 1, "add")
  core.expect(f, "function", 2, "add")
  local rows, columns = {}, { table.unpack(columns_of(self)) }
  for i, row in ipairs(self) do
    rows[i] = copy_of(row)
    rows[i][column] = f(row)
  end
  if not has(columns, column) then columns[#columns + 1] = column end
  local added = derive(self, rows, columns)
  if unit then
    local meta = getmetatable(added)
    meta.units = copy_of(meta.units or {})
    meta.units[column] = unit
  end
  return added
end

core.doc("Table.map", "(f)", "A Table of the records that a function makes of the rows; nil: none.",
  "t:map(function(row) return { name = row.policy } end)")
function methods:map(f, ...)
  core.check("Table.map", ...)
  core.expect(f, "function", 1, "map")
  local rows = {}
  for _, row in ipairs(self) do rows[#rows + 1] = f(row) end
  local known, columns = core.keys_of(rows) or {}, {}
  for _, key in ipairs(columns_of(self)) do -- known ones stay where they were
    if has(known, key) then columns[#columns + 1] = key end
  end
  for _, key in ipairs(known) do
    if not has(columns, key) then columns[#columns + 1] = key end
  end
  return derive(self, rows, columns)
end

core.doc("Table.group", "(columns)",
  "A row for each value of a column, or of several: the values, n and rows, a Table.",
  'for _, part in ipairs(t:group "policy") do print(part.policy, #part.rows) end')
function methods:group(columns, ...)
  core.check("Table.group", ...)
  local keys = check_columns(self, columns, "group")
  local rows = {}
  for i, group in ipairs(groups_of(self, keys)) do
    rows[i] = { n = #group.rows, rows = derive(self, group.rows) }
    for _, key in ipairs(keys) do rows[i][key] = group.first[key] end
  end
  local names = { table.unpack(keys) }
  names[#names + 1] = "n"
  return derive(self, rows, names)
end

core.doc("Table.join", "(other, columns, all)",
  "Each row with the columns of the rows of another Table that have the same values of these "
    .. "columns; rows without one are left out, unless all is true.",
  't:join(records{ { policy = "heft", kind = "list" } }, "policy")')
function methods:join(other, columns, all, ...)
  core.check("Table.join", ...)
  if all ~= nil then core.expect(all, "boolean", 3, "join") end
  if not core.is_table(other) then
    error("bad argument #1 to 'join' (Table expected; records(rows) makes one)", 2)
  end
  local keys = check_columns(self, columns, "join")
  check_columns(other, keys, "join")
  local by_key, rows, names = {}, {}, { table.unpack(columns_of(self)) }
  for _, group in ipairs(groups_of(other, keys)) do by_key[key_of(group.first, keys)] = group end
  for _, key in ipairs(columns_of(other)) do
    if not has(keys, key) then
      if has(names, key) then
        error(("t:join: both have a column '%s'; choose others, or join by it"):format(key), 2)
      end
      names[#names + 1] = key
    end
  end
  for _, row in ipairs(self) do
    local group = by_key[key_of(row, keys)]
    for _, match in ipairs(group and group.rows or all and { {} } or {}) do
      local joined = copy_of(match)
      for key, value in pairs(row) do joined[key] = value end
      rows[#rows + 1] = joined
    end
  end
  local units = copy_of(core.meta(other, "units") or {})
  for key, unit in pairs(core.meta(self, "units") or {}) do units[key] = unit end
  local result = derive(self, rows, names)
  getmetatable(result).units = units
  return result
end

local function reducer_of(opts)
  local reduce = opts.reduce and core.reducers[opts.reduce]
  if opts.reduce and not reduce then
    error(("opts.reduce: '%s' is none of %s"):format(tostring(opts.reduce),
      concat(core.keys(core.reducers), ", ")), 3)
  end
  return reduce
end

core.doc("Table.wide", "{rows=, columns=, value=, reduce=}",
  "A row for each value of one column, or of several, and in it a column for each value of "
    .. "another; reduce is needed where several rows have both: mean, geometric, median, min, max, "
    .. "sum, count.",
  't:wide{ rows = "graph", columns = "policy", value = "makespan" }')
function methods:wide(opts, ...)
  core.check("Table.wide", ...)
  check_options(opts, { "rows", "columns", "value", "reduce" }, "wide")
  local keys = check_columns(self, opts.rows, "wide")
  local across = check_column(self, opts.columns, "wide")
  local value = check_column(self, opts.value, "wide")
  local reduce = reducer_of(opts)
  local rows, names, units = {}, { table.unpack(keys) }, copy_of(core.meta(self, "units") or {})
  for i, group in ipairs(groups_of(self, keys)) do
    rows[i] = {}
    for _, key in ipairs(keys) do rows[i][key] = group.first[key] end
    for _, cell in ipairs(groups_of(group.rows, { across })) do
      local name = tostring(cell.first[across])
      if not has(names, name) then names[#names + 1] = name end
      units[name] = unit_of(self, value)
      if #cell.rows > 1 and not reduce then
        error(("t:wide: %d rows have %s = %s and %s = %s: add reduce = \"mean\""):format(
          #cell.rows, keys[1], tostring(group.first[keys[1]]), across, name), 2)
      end
      rows[i][name] = cell.rows[1][value]
      if reduce then
        local numbers = numbers_of(cell.rows, value, "wide")
        rows[i][name] = #numbers > 0 and reduce(numbers) or nil
      end
    end
  end
  return core.table(rows, { columns = names, units = units })
end

-- --- statistics ----------------------------------------------------------------------------------

local PARTS = { "n", "mean", "spread", "ci95", "median", "min", "max" }

-- What plot shows of a summary: lines over its last number, one for each of its other words.
local function plot_of(t, by, y, error_column)
  local x, series = by[#by], nil
  for _, key in ipairs(by) do
    if kind_of(t, key) == "number" then x = key end
  end
  for _, key in ipairs(by) do
    if key ~= x and not series then series = key end
  end
  return { x = x, y = y, by = series, error = error_column }
end

core.doc("Table.summary", "{by=, value=}",
  "A row for each value of the columns by, with what statistics.summary says of the numbers of the "
    .. "column value: n, mean, spread, ci95, median, min, max; missing counts rows without one. "
    .. "plot draws the means with ci95 as error bars.",
  't:summary{ by = "policy", value = "makespan" }')
function methods:summary(opts, ...)
  core.check("Table.summary", ...)
  check_options(opts, { "by", "value" }, "summary")
  local by = check_columns(self, opts.by or {}, "summary")
  local value = check_column(self, opts.value, "summary")
  local rows, units = {}, copy_of(core.meta(self, "units") or {})
  for i, group in ipairs(groups_of(self, by)) do
    local numbers = numbers_of(group.rows, value, "summary")
    rows[i] = statistics.summary(numbers)
    if #numbers < #group.rows then rows[i].missing = #group.rows - #numbers end
    for _, key in ipairs(by) do rows[i][key] = group.first[key] end
  end
  for _, part in ipairs(PARTS) do units[part] = part ~= "n" and unit_of(self, value) or "" end
  local names = table.move(PARTS, 1, #PARTS, #by + 1, { table.unpack(by) })
  for _, row in ipairs(rows) do
    if row.missing and not has(names, "missing") then names[#names + 1] = "missing" end
  end
  local parameters = {}
  for _, key in ipairs(by) do parameters[key] = true end
  local t = core.table(rows, { columns = names, units = units, parameters = parameters,
                               common = { table.unpack(PARTS, 2) } })
  getmetatable(t).plot = #by > 0 and plot_of(t, by, "mean", "ci95") or nil
  getmetatable(t).value = value
  return t
end

local PAIRED = { "graph", "cluster", "devices", "seed" }

-- The columns that say which rows belong together.
local function pairing(t, between)
  local parameters = core.meta(t, "parameters") or {}
  local over = {}
  for _, key in ipairs(columns_of(t)) do
    if key ~= between and (parameters[key] or has(PAIRED, key)) then over[#over + 1] = key end
  end
  if #over == 0 then
    error("t:compare: over = { \"graph\", \"seed\" } expected: the columns that two rows of a pair "
      .. "have in common", 3)
  end
  return over
end

-- By key of the pair, the number of the one row of each, or of all of them; raises for two without
-- a function that makes one number of several.
local function by_pair(rows, over, value, reduce)
  local numbers = {}
  for _, group in ipairs(groups_of(rows, over)) do
    if #group.rows > 1 and not reduce then
      error(("t:compare: two rows have the same %s: name more columns in over, or add "
        .. "reduce = \"mean\""):format(concat(over, " and ")), 3)
    end
    local found = numbers_of(group.rows, value, "compare")
    local number = reduce and #found > 1 and reduce(found) or found[1]
    numbers[key_of(group.first, over)] = number or false
  end
  return numbers
end

local function compare_pair(a, b, sign)
  local differences, logs, row = {}, 0, { wins = 0, ties = 0, losses = 0, unpaired = 0 }
  local keys = core.keys(a)
  for _, key in ipairs(keys) do
    local x, y = a[key], b[key]
    if x and y then
      local d = x - y
      differences[#differences + 1] = d
      logs = logs + (x > 0 and y > 0 and math.log(x / y) or 0 / 0)
      local word = d * sign < 0 and "wins" or d == 0 and "ties" or "losses"
      row[word] = row[word] + 1
    else
      row.unpaired = row.unpaired + 1
    end
  end
  for key in pairs(b) do
    if a[key] == nil then row.unpaired = row.unpaired + 1 end
  end
  local found = statistics.summary(differences)
  row.n, row.mean, row.ci95 = found.n, found.mean, found.ci95
  if found.n > 0 and logs == logs then row.ratio = math.exp(logs / found.n) end
  if found.n > 0 then
    row.p_sign = statistics.sign_test(row.wins, row.losses)
    row.p_wilcoxon = statistics.wilcoxon(differences)
  end
  return row
end

core.doc("Table.compare", "{between=, value=, over=, to=, best=, reduce=}",
  "Paired differences: a row for each two values of the column between (or each with the value "
    .. "to), of the rows that have the same values of the columns over (a sweep's parameters, or "
    .. "graph, cluster, devices and seed): n, mean difference, its ci95, ratio (geometric mean), "
    .. "wins, ties and losses (a lower value wins; best = \"max\": a higher), p_sign, p_wilcoxon, "
    .. "unpaired. reduce, as of wide, makes one number of several rows, such as those of seeds.",
  't:compare{ between = "policy", value = "makespan", over = "graph" }')
function methods:compare(opts, ...)
  core.check("Table.compare", ...)
  check_options(opts, { "between", "value", "over", "to", "best", "reduce" }, "compare")
  local between = check_column(self, opts.between, "compare")
  local value = check_column(self, opts.value, "compare")
  local over = opts.over and check_columns(self, opts.over, "compare") or pairing(self, between)
  if opts.best ~= nil and opts.best ~= "min" and opts.best ~= "max" then
    error("opts.best: min or max expected", 2)
  end
  local reduce = reducer_of(opts)
  numbers_of(self, value, "compare")
  local sides, rows, is_there = {}, {}, opts.to == nil
  for i, group in ipairs(groups_of(self, { between })) do
    sides[i] = { name = group.first[between], numbers = by_pair(group.rows, over, value, reduce) }
    is_there = is_there or sides[i].name == opts.to
  end
  if not is_there then
    error(("opts.to: no row has %s = %s"):format(between, tostring(opts.to)), 2)
  end
  for i, a in ipairs(sides) do
    for k, b in ipairs(sides) do
      if opts.to == nil and i < k or opts.to ~= nil and b.name == opts.to and i ~= k then
        local row = compare_pair(a.numbers, b.numbers, opts.best == "max" and -1 or 1)
        row[between], row.to = a.name, b.name
        rows[#rows + 1] = row
      end
    end
  end
  local unit = unit_of(self, value)
  return core.table(rows, {
    columns = { between, "to", "n", "mean", "ci95", "ratio", "wins", "ties", "losses", "p_sign",
      "p_wilcoxon", "unpaired" },
    units = { mean = unit, ci95 = unit }, common = { "mean", "ci95" },
  })
end

-- The column of texts that has a value.
local function find_column(t, value)
  for _, key in ipairs(columns_of(t)) do
    for _, row in ipairs(t) do
      if row[key] == value then return key end
    end
  end
  error(("t:crossover: no row has '%s'"):format(tostring(value)), 3)
end

-- Mean of a value by x, of the rows of one series; and the x, in order.
local function curve_of(t, series, name, x, value)
  local by_x, xs = {}, {}
  for _, row in ipairs(t) do
    local at, number = row[x], row[value]
    if row[series] == name and type(at) == "number" and type(number) == "number" then
      if not by_x[at] then
        by_x[at] = {}
        xs[#xs + 1] = at
      end
      table.insert(by_x[at], number)
    end
  end
  for _, at in ipairs(xs) do by_x[at] = core.reducers.mean(by_x[at]) end
  sort(xs)
  return by_x, xs
end

local function default_value(t)
  local options = core.meta(t, "plot")
  for _, key in ipairs { options and (options.value or options.y) or "", "mean", "makespan" } do
    if has(columns_of(t), key) then return key end
  end
  error("t:crossover: opts.value: the column of numbers expected", 3)
end

core.doc("Table.pareto", "(columns)",
  "The rows that no other row beats: none is at least as good in all the columns of numbers and "
    .. "better in one. Less is better, and more in a column such as \"-use\". Rows without a "
    .. "number are left out.",
  't:pareto{ "time", "memory" }')
function methods:pareto(columns, ...)
  core.check("Table.pareto", ...)
  core.expect(columns, "table", 1, "pareto")
  local keys, signs = {}, {}
  for i, word in ipairs(columns) do
    keys[i] = tostring(word):gsub("^%-", "")
    signs[i] = keys[i] == word and 1 or -1
  end
  check_columns(self, keys, "pareto")
  local places = {}
  for n, row in ipairs(self) do
    local place, is_complete = { n = n }, true
    for i, key in ipairs(keys) do
      local value = row[key]
      is_complete = is_complete and type(value) == "number" and value == value
      place[i] = is_complete and signs[i] * value
    end
    if is_complete then places[#places + 1] = place end
  end
  -- What beats a place comes before it. Places of the same numbers, which are neighbours, share one
  -- of the front; with two columns its last one beats if any does.
  table.sort(places, function(a, b)
    for i = 1, #keys do
      if a[i] ~= b[i] then return a[i] < b[i] end
    end
    return a.n < b.n
  end)
  local function is_as_good(a, b)
    for i = 1, #keys do
      if a[i] > b[i] then return false end
    end
    return true
  end
  local front, is_kept = {}, {}
  for k, place in ipairs(places) do
    local before = places[k - 1]
    if before and is_as_good(before, place) and is_as_good(place, before) then
      is_kept[place.n] = is_kept[before.n]
    else
      is_kept[place.n] = true
      for f = #front, #keys <= 2 and math.max(#front, 1) or 1, -1 do
        if is_as_good(front[f], place) then
          is_kept[place.n] = nil
          break
        end
      end
      if is_kept[place.n] then front[#front + 1] = place end
    end
  end
  local rows = {}
  for n, row in ipairs(self) do
    if is_kept[n] then rows[#rows + 1] = row end
  end
  return derive(self, rows)
end

core.doc("Table.crossover", "(a, b, x, opts)",
  "Where two series cross: a Table of the values of the column x at which both have the same mean, "
    .. "and of the one that is better from there on, the lower. It interpolates linearly between "
    .. "the values that both have, with log = true over the logarithm of x. Nil and why if they do "
    .. "not cross. opts: value (mean or makespan unless told), best (\"max\": the higher), log.",
  's:crossover("heft", "single", "devices")')
function methods:crossover(a, b, x, opts, ...)
  core.check("Table.crossover", ...)
  check_column(self, x, "crossover")
  opts = opts or {}
  check_options(opts, { "value", "best", "log" }, "crossover")
  local series = find_column(self, a)
  if find_column(self, b) ~= series then
    error(("t:crossover: '%s' and '%s' are of different columns"):format(tostring(a), tostring(b)),
      2)
  end
  local value = opts.value and check_column(self, opts.value, "crossover")
    or default_value(self)
  local of_a, xs = curve_of(self, series, a, x, value)
  local of_b = curve_of(self, series, b, x, value)
  if opts.log and xs[1] and xs[1] <= 0 then
    error(("t:crossover: opts.log: %s has values that are not above 0"):format(x), 2)
  end
  local sign = opts.best == "max" and -1 or 1
  local found, n, before, last = {}, 0, nil, nil
  local open -- crossings at values themselves, of which the next value says who is better
  for _, at in ipairs(xs) do
    if of_b[at] then
      local d = (of_a[at] - of_b[at]) * sign
      local better = d < 0 and a or d > 0 and b or nil
      n = n + 1
      if open and better then open.better, open = better, nil end
      if d == 0 and last ~= 0 then
        open = { [x] = at }
        found[#found + 1] = open
      elseif last and last * d < 0 then
        local share = last / (last - d)
        found[#found + 1] = { better = better,
          [x] = opts.log and before * (at / before) ^ share or before + (at - before) * share }
      end
      before, last = at, d
    end
  end
  if #found > 0 then
    return core.table(found, { columns = { x, "better" }, units = core.meta(self, "units") })
  end
  if n < 2 then
    return fail(("%s and %s have %d value%s of %s in common, two are needed"):format(a, b, n,
      n == 1 and "" or "s", x))
  end
  return fail(("%s is %s %s at all %d values of %s"):format(a,
    last * sign < 0 and "below" or "above", b, n, x))
end
