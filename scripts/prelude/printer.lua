-- printer.lua: values as people read them: sorted keys, five levels, thirty items.
local core = ...
local _G = _G -- also when a script sets it
local type, tostring, pairs, next = type, tostring, pairs, next
local concat, sort, unpack, pack = table.concat, table.sort, table.unpack, table.pack
local floor, match, rawget, select, error = math.floor, string.match, rawget, select, error

local DEPTH, ITEMS = 5, 30
local WIDTH = 76

local function quote(s)
  return (string.format("%q", s):gsub("\\\n", "\\n"))
end

local function key_text(key)
  if type(key) == "string" and key:match "^[%a_][%w_]*$" then return key end
  return "[" .. (type(key) == "string" and quote(key) or tostring(key)) .. "]"
end

-- Numbers before strings before the rest, each in its own order.
local function key_less(a, b)
  local ta, tb = type(a), type(b)
  if ta == tb and (ta == "number" or ta == "string") then return a < b end
  if ta ~= tb then return ta < tb end
  return tostring(a) < tostring(b)
end

local function number_text(n)
  if math.type(n) == "integer" then return tostring(n) end
  if n == floor(n) and n > -1e15 and n < 1e15 then return string.format("%.1f", n) end
  return string.format("%.6g", n)
end

-- What the metatable of a table has under a key; nil without one.
function core.meta(t, key)
  local mt = getmetatable(t)
  return type(mt) == "table" and rawget(mt, key) or nil
end

-- The keys of a table, which are alike, in order.
function core.keys(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  sort(keys)
  return keys
end

local render

local function render_table(t, depth, seen, indent)
  if next(t) == nil then return "{}" end
  if seen[t] then return "{ seen above }" end
  if depth == 0 then return "{ ... }" end
  seen[t] = true

  local parts, total, length = {}, 0, #t
  local keys = {}
  for key in pairs(t) do
    total = total + 1
    if not (math.type(key) == "integer" and key >= 1 and key <= length) then
      keys[#keys + 1] = key
    end
  end
  sort(keys, key_less)

  local inner = indent .. "  "
  for i = 1, length do
    if #parts == ITEMS then break end
    parts[#parts + 1] = render(t[i], depth - 1, seen, inner)
  end
  for _, key in ipairs(keys) do
    if #parts == ITEMS then break end
    parts[#parts + 1] = key_text(key) .. " = " .. render(t[key], depth - 1, seen, inner)
  end
  if total > #parts then parts[#parts + 1] = "... " .. total - #parts .. " more" end
  seen[t] = nil

  local line = "{ " .. concat(parts, ", ") .. " }"
  if #line + #indent <= WIDTH and not line:find "\n" then return line end
  return "{\n" .. inner .. concat(parts, ",\n" .. inner) .. "\n" .. indent .. "}"
end

function render(value, depth, seen, indent)
  local kind = type(value)
  if kind == "string" then return quote(value) end
  if kind == "number" then return number_text(value) end
  if kind == "table" then
    if core.meta(value, "__tostring") then return tostring(value) end
    return render_table(value, depth, seen, indent)
  end
  if kind == "function" and core.name_of then
    local name = core.name_of(value)
    if name then return "function " .. name end
  end
  return tostring(value)
end

-- A value in one line, as far as that goes.
function core.line(value)
  return (render(value, 2, {}, ""):gsub("%s*\n%s*", " "))
end

-- Rows of a few columns, the last one not padded; numbers with units stand to the right.
function core.columns(rows)
  local widths = {}
  for _, row in ipairs(rows) do
    for i, cell in ipairs(row) do
      widths[i] = math.max(widths[i] or 0, utf8.len(cell) or #cell)
    end
  end

  local lines = {}
  for _, row in ipairs(rows) do
    local cells = {}
    for i, cell in ipairs(row) do
      local pad = (" "):rep(widths[i] - (utf8.len(cell) or #cell))
      cells[i] = i > 1 and cell:match "^%d" and pad .. cell or cell .. pad
    end
    lines[#lines + 1] = (concat(cells, "  "):gsub("%s+$", ""))
  end
  return concat(lines, "\n")
end

-- Lines of a table, none wider than the terminal, if it is for one.
function core.cut(text)
  local width = core.terminal()
  if width == 0 then return text end
  return (text:gsub("[^\n]+", function(line)
    if (utf8.len(line) or 0) <= width then return line end
    return line:sub(1, utf8.offset(line, width) - 1) .. "~"
  end))
end

-- The nodes of a set, a line each.
function core.set_text(set, limit)
  local rows, n = {}, 0
  for node in set:each() do
    n = n + 1
    if n > limit then break end
    rows[n] = { node.name, node.op, core.format("time", node.cost), node.device or "" }
  end

  local text = core.cut("  " .. core.columns(rows):gsub("\n", "\n  "))
  if #set > limit then text = text .. "\n  ... " .. #set - limit .. " more" end
  return tostring(set) .. (n > 0 and "\n" .. text or "")
end

-- A value as the answer at a prompt.
function core.show(value)
  if type(value) == "string" and value:find "\n" then return (value:gsub("\n$", "")) end
  if core.type(value) == "Set" and #value <= ITEMS then return core.set_text(value, ITEMS) end
  return render(value, DEPTH, {}, "")
end

core.doc("pp", "(...)", "Prints values with sorted keys, five levels deep.", "pp(g:stats())")
function pp(...)
  local values = pack(...)
  for i = 1, values.n do
    if not core.display(values[i]) then core.write(core.show(values[i]) .. "\n") end
    core.remember_shown(values[i])
  end
  return ...
end

-- "x is nil: MESSAGE" if the code begins with "x =", and the message beside a nil was dropped.
local function lost_message(code)
  local name = match(code, "^%s*([%a_][%w_]*)%s*=[^=]")
  local message = core.last_failure()
  if name == nil or message == nil or rawget(_G, name) ~= nil then return "" end
  return name .. " is nil: " .. message
end

-- The values as lines of JSON, for programs: what goes wrong is an error.
local function json_lines(values, code)
  local why = values.n == 0 and lost_message(code) or values[1] == nil and values[2]
  if type(why) == "string" and why ~= "" then error(why, 0) end
  local lines = {}
  for i = 1, values.n do lines[i] = json(values[i]) end
  return concat(lines, "\n")
end

-- What a prompt runs: the values of the chunk as text, kept in _ and out.
core.doc("_", "",
  "The last result; after a stop the best plan of the search so far, or the rows of the sweep.")
core.doc("out", "", "All results so far, a list.", "out[1]")
out = {}

function core.evaluate(chunk, code)
  core.at_prompt = true
  core.next_slot = core.no_slot -- a stopped function of a control has left its own
  core.forget_shown()
  core.last_failure()
  local values = pack(chunk())
  if select(2, core.terminal()) then return json_lines(values, code) end
  if values.n == 0 then return lost_message(code) end
  if values.n == 1 and values[1] == nil then return "" end

  _ = values[1]
  out[#out + 1] = values[1]
  -- The message beside a lone nil is for people.
  if values.n == 2 and values[1] == nil and type(values[2]) == "string" then return values[2] end
  local texts = {}
  for i = 1, values.n do
    local value = values[i]
    if core.was_shown(value) then
      -- It is there already.
    elseif not core.display(value) then
      texts[#texts + 1] = core.show(value)
    elseif core.type(value) == "Set" then
      texts[#texts + 1] = tostring(value)
    end
  end
  return concat(texts, "\t")
end
