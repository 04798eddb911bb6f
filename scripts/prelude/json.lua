-- json.lua: values as JSON for other programs, the same bytes for the same value, and back.
--
-- A table with a first item, or an empty one, is an array; any other is an object with sorted keys.
-- A set is the array of its nodes; nodes, runs and graphs are objects of their fields, whose names
-- say the unit of times and sizes, as columns of files do: makespan_s, memory_bytes. What JSON has
-- no word for (a function, a number without end) is null.
local core = ...
local type, tostring, pairs, ipairs = type, tostring, pairs, ipairs
local concat, sort = table.concat, table.sort

local DEPTH = 64

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function quote(s)
  return '"' .. s:gsub('[%c"\\\127]', function(c)
    return escapes[c] or ("\\u%04x"):format(c:byte())
  end) .. '"'
end

function core.number_text(n)
  if math.type(n) == "integer" then return tostring(n) end
  if n ~= n or n == math.huge or n == -math.huge then return "null" end
  if n == math.floor(n) and n > -1e15 and n < 1e15 then return ("%.0f"):format(n) end
  for digits = 15, 17 do
    local text = ("%." .. digits .. "g"):format(n)
    if tonumber(text) == n then return text end
  end
end

local encode

local function object(t, depth)
  local keys, parts = {}, {}
  for key in pairs(t) do keys[#keys + 1] = key end
  sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, key in ipairs(keys) do
    parts[i] = quote(tostring(key)) .. ": " .. encode(t[key], depth)
  end
  return "{" .. concat(parts, ", ") .. "}"
end

local function array(t, depth)
  local parts = {}
  for i = 1, #t do parts[i] = encode(t[i], depth) end
  return "[" .. concat(parts, ", ") .. "]"
end

local function with_units(t)
  local named = {}
  for key, value in pairs(t) do named[core.file_name(key, core.unit(key))] = value end
  return named
end

local node_fields = {} -- by their names in files
for field in pairs(core.fields) do
  local name = core.file_name(field, core.unit(field))
  node_fields[#node_fields + 1] = { field = field, name = name, key = quote(name) .. ": " }
end
sort(node_fields, function(a, b) return a.name < b.name end)

-- Nodes go without a table each: there may be a hundred thousand.
local as_text = {}

function as_text.Node(node, depth)
  local parts = {}
  for _, entry in ipairs(node_fields) do
    local value = node[entry.field]
    if value ~= nil then parts[#parts + 1] = entry.key .. encode(value, depth) end
  end
  return "{" .. concat(parts, ", ") .. "}"
end

function as_text.Set(set, depth)
  local parts = {}
  for node in set:each() do parts[#parts + 1] = as_text.Node(node, depth - 1) end
  return "[" .. concat(parts, ", ") .. "]"
end

-- Our own other objects as tables; the rest as the text that people see.
local as_table = {}

function as_table.Run(run)
  return {
    name = run.name, valid = run.valid, makespan_s = run.makespan, bound_s = run.bound,
    ratio = run.ratio, transferred_bytes = run.transferred, utilisation = run:utilisation(),
  }
end

function as_table.Graph(graph)
  local t = graph:stats()
  t.name = graph.name
  return with_units(t)
end

function as_table.Diff(diff)
  return { delta_s = diff.delta, runs = diff.runs, verdict = diff.verdict, moved = #diff:moved() }
end

function encode(value, depth)
  local kind = type(value)
  if kind == "number" then return core.number_text(value) end
  if kind == "string" then return quote(value) end
  if kind == "boolean" then return tostring(value) end
  if kind == "nil" or kind == "function" or kind == "thread" then return "null" end
  if depth == 0 then error("json: the value is nested too deep, or in itself", 0) end
  kind = core.type(value)
  if as_text[kind] then return as_text[kind](value, depth - 1) end
  if as_table[kind] then value = as_table[kind](value) end
  if type(value) ~= "table" then return quote(tostring(value)) end
  if #value > 0 or next(value) == nil then return array(value, depth - 1) end
  return object(value, depth - 1)
end

core.doc("json", "(x)",
  "The value as JSON for other programs; nodes, runs and graphs name the units of times and sizes "
    .. "(makespan_s, memory_bytes).",
  'print(json(g:where{ op = "Conv" }))')
json = setmetatable({}, {
  __call = function(_, value, ...)
    core.check("json", ...)
    return encode(value, DEPTH)
  end,
})

core.doc("json.parse", "(text)",
  "The value of a JSON text; a null in a list is false, and nil elsewhere. Nil and why for other "
    .. "texts.",
  'json.parse \'{ "a": [1, 2] }\'')
function json.parse(text, ...)
  core.check("json.parse", ...)
  core.expect(text, "string", 1, "parse")
  return core.parse_json(text)
end
