-- records.lua: lists of records (tables of like keys, nodes, runs) as tables.
local core = ...
local ipairs, pairs, type, tostring = ipairs, pairs, type, tostring
local sort = table.sort

local TEXT_ROWS, SHOWN_ROWS, MAX_COLUMNS, MAX_CELL = 30, 5000, 24, 48
local FIRST = { name = 1, graph = 2, policy = 3, node = 4, step = 5, x = 6 }
local units = { makespan = "s", seconds = "s", latency = "s" }
local node_columns = { "name", "op", "cost", "memory", "device", "start", "finish" }
local run_columns = { "name", "makespan", "valid" }

-- The unit of numbers of that name: "s", "B" or "".
function core.unit(key)
  local field = core.fields[key]
  if field and field.kind == "time" or key:find "_s$" then return "s" end
  if field and field.kind == "bytes" or key:find "_bytes$" then return "B" end
  return units[key] or ""
end

local SUFFIXES = { s = "_s", B = "_bytes" }

-- The name of a column in files, which says its unit: makespan_s.
function core.file_name(key, unit)
  if key:find "_s$" or key:find "seconds$" or key:find "bytes$" then return key end
  return key .. (SUFFIXES[unit] or "")
end

function core.quantity(value, unit)
  if unit == "s" then return (core.format("time", value):gsub(" us$", " µs")) end
  if unit == "B" then return core.format("bytes", value) end
  local text = math.type(value) == "integer" and tostring(value) or ("%.6g"):format(value)
  return unit ~= "" and text .. " " .. unit or text
end

local kinds_of_row = { Node = true, Run = true, table = true }

-- The kind of a list whose elements are alike: "Node", "Run" or "table"; nil for any other value.
local function kind_of_rows(value)
  if type(value) ~= "table" or #value == 0 then return nil end
  if core.meta(value, "__tostring") and not core.is_table(value) then return nil end
  local kind = core.type(value[1])
  return kinds_of_row[kind] and kind or nil
end

local function is_scalar(value)
  local kind = type(value)
  return kind ~= "table" and kind ~= "function" and kind ~= "thread"
end

core.is_scalar = is_scalar

-- The keys of records, well-known names first; nil unless all rows are records of the same kind.
function core.keys_of(rows)
  local counts, names, total = {}, {}, 0
  for i, row in ipairs(rows) do
    if type(row) ~= "table" or #row > 0 or core.meta(row, "__tostring") then return nil end
    for key, value in pairs(row) do
      if type(key) ~= "string" then return nil end
      if is_scalar(value) or type(value) == "table" and not getmetatable(value) then
        if not counts[key] then names[#names + 1] = key end
        counts[key] = (counts[key] or 0) + 1
        total = total + 1
      end
    end
    if i == 1 and #names == 0 then return nil end
  end
  -- Like keys: the table has fewer holes than cells.
  if total * 2 < #names * #rows or #names > MAX_COLUMNS then return nil end
  sort(names, function(a, b)
    local fa, fb = FIRST[a] or 99, FIRST[b] or 99
    if fa ~= fb then return fa < fb end
    return a < b
  end)
  return names
end

-- What a list is as a table: rows, columns (keys), and link(row), what is behind a row. Nil for
-- values that are no list of records.
function core.records(value)
  if core.type(value) == "Set" then
    local rows = {}
    for node in value:each() do
      if #rows == SHOWN_ROWS then break end
      rows[#rows + 1] = node
    end
    return { rows = rows, columns = node_columns, total = #value, link = function(n) return n end }
  end
  local kind = kind_of_rows(value)
  if not kind then return nil end
  for _, row in ipairs(value) do
    if core.type(row) ~= kind then return nil end
  end
  if kind ~= "table" then
    return { rows = value, columns = kind == "Node" and node_columns or run_columns,
             total = #value, link = function(row) return row end }
  end
  local columns = core.meta(value, "columns") or core.keys_of(value)
  if not columns then return nil end
  return { rows = value, columns = columns, total = #value, link = core.link_of,
           units = core.meta(value, "units") }
end

-- The object of a record: its run, its nodes or its node.
function core.link_of(row)
  for _, key in ipairs { "run", "nodes", "set", "node" } do
    local value = type(row) == "table" and rawget(row, key)
    local kind = value and core.type(value)
    if kind == "Run" or kind == "Set" or kind == "Node" then return value end
  end
  return nil
end

-- units: by name, those that a list has for itself; may be left out.
function core.cell(value, key, units)
  if value == nil then return "" end
  if type(value) == "number" then
    return core.quantity(value, units and units[key] or core.unit(key))
  end
  if core.type(value) == "Node" or core.type(value) == "Run" then return value.name end
  local text = type(value) == "string" and value or is_scalar(value) and tostring(value)
    or type(value) == "table" and core.line(value) or "..."
  text = text:gsub("\n.*", " ...")
  return text
end

-- A column without a value in any row is left out.
local function used_columns(list, n)
  local used = {}
  for _, key in ipairs(list.columns) do
    for i = 1, n do
      if list.rows[i][key] ~= nil then
        used[#used + 1] = key
        break
      end
    end
  end
  return used
end

-- For a terminal; files and other programs get all.
local function shorten(text)
  local n = core.terminal() > 0 and utf8.len(text)
  if not n or n <= MAX_CELL then return text end
  return text:sub(1, utf8.offset(text, MAX_CELL) - 1) .. "…"
end

-- The list as aligned text, thirty rows at most.
function core.records_text(list)
  local n = math.min(#list.rows, TEXT_ROWS)
  local columns, lines = used_columns(list, n), {}
  lines[1] = {}
  for c, key in ipairs(columns) do lines[1][c] = key end
  for i = 1, n do
    local cells = {}
    for c, key in ipairs(columns) do
      local value = list.rows[i][key]
      cells[c] = value == nil and "–" or shorten(core.cell(value, key, list.units))
    end
    lines[i + 1] = cells
  end
  local text = core.cut(core.columns(lines))
  if list.total > n then text = text .. "\n... " .. list.total - n .. " more" end
  return text
end

-- Shows the list in the console; false if it cannot show tables.
function core.display_list(list, slot)
  local n = math.min(#list.rows, SHOWN_ROWS)
  local columns, links = {}, {}
  for c, key in ipairs(used_columns(list, n)) do
    local column = { name = key, is_number = true, texts = {}, numbers = {} }
    for i = 1, n do
      local value = list.rows[i][key]
      column.texts[i] = core.cell(value, key, list.units)
      if type(value) == "number" then column.numbers[i] = value
      elseif value ~= nil then column.is_number = false end
    end
    columns[c] = column
  end
  for i = 1, n do links[i] = list.link(list.rows[i]) or false end
  return core.display_records(columns, n, links, list.total - n, slot or 0)
end

-- --- what a prompt shows ------------------------------------------------------------------------

-- Shows a value in the console as a plot, a picture or a table; false for all others, and where
-- there is no window.
function core.display(value, slot)
  if not core.can_display() then return false end
  local kind = core.type(value)
  if kind == "Plot" then return core.display_plot(value, slot or 0) end
  if kind == "Picture" then return core.display_picture(value, slot or 0) end
  if kind == "table" then
    if core.meta(value, "kind") == "Plots" then
      for _, figure in ipairs(value) do
        core.display_plot(figure, slot or 0)
        slot = core.next_slot()
      end
      return true
    end
    local options = core.meta(value, "plot")
    if options and #value > 0 then
      local figure = plot(value, options)
      if figure then
        core.display_plot(figure, slot or 0)
        slot = core.next_slot()
      end
    end
  end
  if kind == "Set" and #value == 0 then return false end
  local list = core.records(value)
  return list ~= nil and #list.rows > 0 and core.display_list(list, slot)
end

local show_text = core.show

function core.show(value)
  if core.type(value) == "Plot" and not core.can_display() then
    return core.cut(tostring(value)) .. "\n" .. core.sketch(value):gsub("\n$", "")
  end
  if type(value) == "table" then
    local is_table = core.is_table(value)
    if is_table and #value == 0 then
      return "no rows"
    end
    local list = (is_table or #value > 1) and core.records(value)
    if list then return core.records_text(list) end
  end
  return show_text(value)
end
