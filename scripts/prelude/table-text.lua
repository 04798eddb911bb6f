-- table-text.lua: Tables for papers and programs: text, markdown, LaTeX, CSV, JSON.
local core = ...
local fail = core.fail
local ipairs, pairs, type, tostring, error = ipairs, pairs, type, tostring, error
local concat = table.concat

local methods = core.types.Table.methods
local NOTHING = "–"
local MOST_MORE = 4 -- decimals of an error beyond those of its column

-- --- for papers ----------------------------------------------------------------------------------

local TIMES = { { "s", 1 }, { "ms", 1e3 }, { "µs", 1e6 }, { "ns", 1e9 } }
local SIZES = { { "GB", 1e-9 }, { "MB", 1e-6 }, { "kB", 1e-3 }, { "B", 1 } }

-- The unit in which the largest number of a column is at least 1, with its factor.
local function fitting(unit, most)
  local scales = unit == "s" and TIMES or unit == "B" and SIZES
  for _, scale in ipairs(scales or {}) do
    if most * scale[2] >= 1 then return scale[1], scale[2] end
  end
  if scales and most > 0 then return table.unpack(scales[#scales]) end
  return unit, 1
end

-- The largest number of a column, and whether all are whole.
local function extent_of(t, key)
  local most, is_whole = 0, true
  for _, row in ipairs(t) do
    local value = row[key]
    if type(value) == "number" and value == value and math.abs(value) < math.huge then
      most = math.max(most, math.abs(value))
      is_whole = is_whole and value % 1 == 0
    end
  end
  return most, is_whole
end

-- How the numbers of a column are written: their unit, that of the first of columns that have one
-- in common, and a function of a number and perhaps its error. All have as many decimals as the
-- largest needs, but for those of which these would leave less than two digits, with their errors.
local function writer_of(t, key, digits)
  local most, is_whole = extent_of(t, key)
  local common = core.meta(t, "common")
  local lead = common and core.has(common, key) and extent_of(t, common[1]) or 0
  local unit, factor = fitting(core.unit_of(t, key), lead > 0 and lead or most)
  local top = most > 0 and math.floor(math.log(most * factor, 10)) or 0
  local decimals = (is_whole and factor == 1) and 0 or math.max(0, digits - 1 - top)
  local few, many = ("%%.%dg"):format(digits), ("%%.%df"):format(decimals)
  -- Chances may be as small as 1e-9: their sizes say enough.
  if decimals > digits + 2 then few, many = "%.1e", "%.1e" end
  local function write(value)
    if value ~= value then return NOTHING end
    local number = value * factor
    local is_small = number ~= 0 and math.abs(number) < 10 ^ (1 - decimals)
    return (is_small and few or many):format(number)
  end
  return unit, function(value, half)
    if not half then return write(value) end
    if half == 0 then return write(value) .. " ± 0" end
    local needed = half > 0 and 1 - math.floor(math.log(half * factor, 10)) or 0
    if not (needed > decimals and needed < decimals + MOST_MORE) then
      return write(value) .. " ± " .. write(half)
    end
    local digits_of_both = ("%%.%df"):format(needed)
    return (digits_of_both .. " ± " .. digits_of_both):format(value * factor, half * factor)
  end
end

-- "12.5", "20.0 %", "–" and nothing stand to the right, where all of a column are like that.
local function looks_like_number(text)
  return text == "" or text == NOTHING
    or text:find "^[+%-]?%d" ~= nil and not text:find "%a%a%a"
end

-- The columns of a Table as people read them: lists of { title =, cells =, is_number = }.
local function columns_for_people(t, opts)
  local columns = {}
  for _, key in ipairs(opts.columns or core.columns_of(t)) do
    if key ~= opts.error then
      local unit, write = writer_of(t, key, opts.digits or 4)
      local title = opts.titles and opts.titles[key]
        or unit ~= "" and ("%s [%s]"):format(key, unit) or key
      local column = { title = title, cells = {}, is_number = #t > 0 }
      local is_used = opts.columns ~= nil or #t == 0
      for i, row in ipairs(t) do
        local value = row[key]
        local half = key == (opts.of or "mean") and opts.error and row[opts.error]
        local text = type(value) == "number" and write(value, half) or core.cell(value, key)
        is_used = is_used or value ~= nil
        text = value ~= nil and text or NOTHING
        column.cells[i] = text
        column.is_number = column.is_number and looks_like_number(text)
      end
      if is_used then columns[#columns + 1] = column end
    end
  end
  return columns
end

local function check(t, opts, name)
  opts = opts or {}
  core.check_table_options(opts, { "columns", "digits", "error", "of", "titles", "foot" }, name, 4)
  core.check_table_columns(t, opts.columns or {}, name, 4)
  return columns_for_people(t, opts)
end

local function width(text)
  return utf8.len(text) or #text
end

-- Lines of padded cells; between: what stands between two.
local function lines_of(columns, n, between)
  local lines = {}
  for i = 0, n do lines[i + 1] = {} end
  for c, column in ipairs(columns) do
    local most = width(column.title)
    for _, cell in ipairs(column.cells) do most = math.max(most, width(cell)) end
    for i = 0, n do
      local cell = i == 0 and column.title or column.cells[i]
      local space = (" "):rep(most - width(cell))
      lines[i + 1][c] = column.is_number and space .. cell or cell .. space
    end
    column.width = most
  end
  for i, cells in ipairs(lines) do lines[i] = concat(cells, between) end
  return lines
end

core.doc("Table.text", "(opts)",
  "All rows as aligned text; opts: columns, digits (of the largest number of a column; 4), error "
    .. "(a column that is shown behind that of: mean unless told), titles (by column), foot (so "
    .. "many rows at the end stand below a line).",
  'print(t:text{ digits = 3 })')
function methods:text(opts, ...)
  core.check("Table.text", ...)
  local columns = check(self, opts, "text")
  local lines = lines_of(columns, #self, "  ")
  local rule = ("─"):rep(width(lines[1]))
  if opts and opts.foot then table.insert(lines, #lines + 1 - opts.foot, rule) end
  table.insert(lines, 2, rule)
  for i, line in ipairs(lines) do lines[i] = line:gsub("%s+$", "") end
  return concat(lines, "\n")
end

core.doc("Table.markdown", "(opts)", "The same as a table of Markdown; opts as of text.",
  'print(t:markdown())')
function methods:markdown(opts, ...)
  core.check("Table.markdown", ...)
  local columns = check(self, opts, "markdown")
  for _, column in ipairs(columns) do
    column.title = column.title:gsub("|", "\\|")
    for i, cell in ipairs(column.cells) do column.cells[i] = cell:gsub("|", "\\|") end
  end
  local lines, marks = lines_of(columns, #self, " | "), {}
  for c, column in ipairs(columns) do
    marks[c] = ("-"):rep(math.max(column.width, 3) - 1) .. (column.is_number and ":" or "-")
  end
  table.insert(lines, 2, concat(marks, " | "))
  return "| " .. concat(lines, " |\n| ") .. " |\n"
end

local LATEX = {
  ["&"] = "\\&", ["%"] = "\\%", ["$"] = "\\$", ["#"] = "\\#", ["_"] = "\\_", ["{"] = "\\{",
  ["}"] = "\\}", ["~"] = "\\textasciitilde{}", ["^"] = "\\textasciicircum{}",
  ["\\"] = "\\textbackslash{}",
}

local function latex(text)
  return (text:gsub("[&%%$#_{}~^\\]", LATEX):gsub("±", "$\\pm$"):gsub("µ", "$\\mu$")
    :gsub(NOTHING, "--"))
end

core.doc("Table.latex", "(opts)", "The same as a tabular of LaTeX; opts as of text.",
  'print(t:latex{ digits = 3 })')
function methods:latex(opts, ...)
  core.check("Table.latex", ...)
  local columns, sides = check(self, opts, "latex"), {}
  for c, column in ipairs(columns) do
    sides[c] = column.is_number and "r" or "l"
    column.title = latex(column.title)
    for i, cell in ipairs(column.cells) do column.cells[i] = latex(cell) end
  end
  local lines = lines_of(columns, #self, " & ")
  for i, line in ipairs(lines) do lines[i] = line .. " \\\\" end
  if opts and opts.foot then table.insert(lines, #lines + 1 - opts.foot, "\\hline") end
  table.insert(lines, 2, "\\hline")
  return ("\\begin{tabular}{%s}\n%s\n\\end{tabular}\n"):format(concat(sides), concat(lines, "\n"))
end

-- --- for programs --------------------------------------------------------------------------------

local function file_name(t, key)
  return core.file_name(key, core.unit_of(t, key))
end

local function csv_cell(value)
  if type(value) == "number" then
    local text = core.number_text(value)
    return text == "null" and "" or text
  end
  local text = value ~= nil and core.cell(value, "") or ""
  if type(value) == "string" then text = value end
  if text:find '[",\r\n]' then text = '"' .. text:gsub('"', '""') .. '"' end
  return text
end

core.doc("Table.csv", "(opts)",
  "Comma-separated values with names of columns that say their unit, such as makespan_s; opts: "
    .. "columns.",
  'app.write("table.csv", t:csv{ columns = { "policy", "makespan" } })')
function methods:csv(opts, ...)
  core.check("Table.csv", ...)
  core.check_table_options(opts or {}, { "columns" }, "csv")
  local columns = opts and opts.columns and core.check_table_columns(self, opts.columns, "csv")
    or core.columns_of(self)
  local lines, cells = {}, {}
  for c, key in ipairs(columns) do cells[c] = csv_cell(file_name(self, key)) end
  lines[1] = concat(cells, ",")
  for i, row in ipairs(self) do
    for c, key in ipairs(columns) do cells[c] = csv_cell(row[key]) end
    lines[i + 1] = concat(cells, ",")
  end
  return concat(lines, "\n") .. "\n"
end

core.doc("Table.json", "()",
  "A JSON list of an object for each row, with names that say their unit, such as makespan_s.",
  'app.write("table.json", t:json())')
function methods:json(...)
  core.check("Table.json", ...)
  local lines = {}
  for i, row in ipairs(self) do
    local parts = {}
    for c, key in ipairs(core.columns_of(self)) do
      local value = row[key]
      if not core.is_scalar(value) and (type(value) ~= "table" or getmetatable(value)) then
        value = core.cell(value, key)
      end
      parts[c] = json(file_name(self, key)) .. ": " .. json(value)
    end
    lines[i] = "{" .. concat(parts, ", ") .. "}"
  end
  return "[" .. concat(lines, ",\n ") .. "]\n"
end

-- --- reading -------------------------------------------------------------------------------------

-- One cell from byte `at`: its text, where what ended it is, and whether it was in quotes; nil
-- where the text ends within quotes.
local function read_cell(text, at)
  if text:sub(at, at) ~= '"' then
    local stop = text:find("[,\r\n]", at) or #text + 1
    return text:sub(at, stop - 1), stop, false
  end
  local parts, from = {}, at + 1
  while true do
    local quote = text:find('"', from, true)
    if not quote then return nil end
    parts[#parts + 1] = text:sub(from, quote - 1)
    if text:sub(quote + 1, quote + 1) ~= '"' then return concat(parts), quote + 1, true end
    parts[#parts + 1] = '"'
    from = quote + 2
  end
end

local WORDS = { ["true"] = true, ["false"] = false }

local function value_of(text, is_quoted)
  if is_quoted then return text end
  if WORDS[text] ~= nil then return WORDS[text] end
  return tonumber(text) or text ~= "" and text or nil
end

-- A column has values of one kind: numbers beside texts are texts.
local function settle(rows, columns, texts)
  for c, key in ipairs(columns) do
    if core.kind_of_column(rows, key) == "mixed" then
      for i, row in ipairs(rows) do row[key] = texts[i][c] ~= "" and texts[i][c] or nil end
    end
  end
end

core.doc("records.parse", "(text)",
  "The Table of comma-separated values whose first line has the names of columns; nil and why for "
    .. "other texts. Empty cells are nil.",
  'records.parse "policy,makespan_s\\nheft,0.1\\n"')
function records.parse(text, ...)
  core.check("records.parse", ...)
  core.expect(text, "string", 1, "parse")
  local columns, rows, texts, at, line = nil, {}, {}, 1, 1
  while at <= #text do
    local cells, values, stop, is_quoted = {}, {}, at, false
    repeat
      local cell
      cell, stop, is_quoted = read_cell(text, at)
      if not cell then return fail(("line %d: a quote is not closed"):format(line)) end
      cells[#cells + 1] = cell
      values[#cells] = value_of(cell, is_quoted)
      at = stop + 1
    until text:sub(stop, stop) ~= ","
    if text:sub(stop, stop + 1) == "\r\n" then at = stop + 2
    elseif stop <= #text and text:sub(stop, stop) ~= "\n" then
      return fail(("line %d: a comma is missing behind a quote"):format(line))
    end
    if not columns then
      columns = cells
    else
      if #cells ~= #columns then
        return fail(("line %d: %d cells, and %d names of columns"):format(line, #cells, #columns))
      end
      local row = {}
      for c, key in ipairs(columns) do row[key] = values[c] end
      rows[#rows + 1], texts[#texts + 1] = row, cells
    end
    line = line + 1
  end
  settle(rows, columns or {}, texts)
  return core.table(rows, { columns = columns or {} })
end
