-- session.lua: the parts of the modules that are easier said in Lua.
local core = ...
local ipairs, pairs, type = ipairs, pairs, type

-- --- policies written in Lua -------------------------------------------------------------------

-- Asks fn for a device, node by node.
function core.decide(fn, state)
  for node in state:nodes():each() do
    local device = fn(node, state)
    if device == nil then return nil, "the policy found no device for " .. node.name end
    state:assign(node, device)
  end
  return state:plan()
end

-- --- comparing -------------------------------------------------------------------------------------

local compare_runs, compare_built_in = compare.runs, compare.policies

local function as_run(x, i)
  local kind = core.type(x)
  if kind == "Plan" then return sim.run(x) end
  if kind == "Run" then return x end
  error(("bad argument #%d to 'compare' (Run or Plan expected, got %s)"):format(i, kind), 3)
end

setmetatable(compare, {
  __call = function(_, ...)
    local runs = table.pack(...)
    for i = 1, runs.n do runs[i] = as_run(runs[i], i) end
    return compare_runs(table.unpack(runs, 1, runs.n))
  end,
})

local function any_in_lua(names)
  for _, name in ipairs(names) do
    if core.policies[name] then return true end
  end
  return false
end

function compare.policies(g, names, opts)
  if type(names) ~= "table" or not any_in_lua(names) then
    return compare_built_in(g, names, opts)
  end

  local runs, has_single = {}, false
  local cluster = opts and opts.cluster
  local function add(name)
    local plan, why = assert(policy.get(name)):decide(g, opts)
    if not plan then return nil, why end
    runs[#runs + 1] = sim.run(plan, { cluster = cluster, name = name })
    return true
  end

  for _, name in ipairs(names) do
    has_single = has_single or name == "single"
    local ok, why = add(name)
    if not ok then return nil, why end
  end
  if not has_single then
    local ok, why = add "single"
    if not ok then return nil, why end
  end
  return compare_runs(table.unpack(runs))
end

-- --- app -----------------------------------------------------------------------------------------------

function app.open(path, opts)
  local opened, why = graph.load(path, opts)
  if not opened then return nil, why end
  view.open(opened, path)
  return opened
end

local function csv_cell(value)
  if value == nil then return "" end
  local text = type(value) == "number" and math.type(value) == "float"
    and ("%.17g"):format(value) or tostring(value)
  if math.type(value) == "float" then
    for digits = 15, 16 do
      local shorter = ("%." .. digits .. "g"):format(value)
      if tonumber(shorter) == value then text = shorter break end
    end
  end
  if text:find '[",\r\n]' then text = '"' .. text:gsub('"', '""') .. '"' end
  return text
end

-- The union of all rows' keys, sorted; nil where rows are lists.
local function csv_columns(rows)
  local seen, columns = {}, {}
  for _, row in ipairs(rows) do
    if #row > 0 then return nil end
    for key in pairs(row) do
      if not seen[key] then
        seen[key] = true
        columns[#columns + 1] = key
      end
    end
  end
  table.sort(columns)
  return columns
end

function app.write_csv(path, rows)
  if type(path) ~= "string" then error("bad argument #1 to 'write_csv' (string expected)", 2) end
  if type(rows) ~= "table" then error("bad argument #2 to 'write_csv' (table of rows expected)", 2) end

  local columns = csv_columns(rows)
  local lines = {}
  local function add(cells, n)
    for i = 1, n do cells[i] = csv_cell(cells[i]) end
    lines[#lines + 1] = table.concat(cells, ",", 1, n)
  end

  if columns then add(table.pack(table.unpack(columns)), #columns) end
  for _, row in ipairs(rows) do
    local cells, n = {}, columns and #columns or #row
    for i = 1, n do
      if columns then cells[i] = row[columns[i]] else cells[i] = row[i] end
    end
    add(cells, n)
  end
  return app.write(path, table.concat(lines, "\n") .. "\n")
end

-- --- sets ----------------------------------------------------------------------------------------------

local set_methods = core.types.Set.methods

function set_methods:describe(limit)
  return core.set_text(self, limit or #self)
end

-- --- small helpers ---------------------------------------------------------------------------------------

function describe(x)
  local kind = core.type(x)
  if kind == "Node" or kind == "Set" then
    core.write((x:describe():gsub("\n$", "")) .. "\n")
  elseif kind == "Run" or kind == "Diff" then
    core.write((x:report():gsub("\n$", "")) .. "\n")
  elseif kind == "Graph" then
    core.write(tostring(x) .. "\n" .. core.show(x:stats()) .. "\n")
  elseif kind == "Cluster" then
    core.write(tostring(x) .. "\n")
    for _, device in ipairs(x.devices) do core.write("  " .. tostring(device) .. "\n") end
  else
    core.write(core.show(x) .. "\n")
  end
end

function time(f, ...)
  local start = core.clock()
  local values = table.pack(f(...))
  core.write(core.format("time", core.clock() - start) .. "\n")
  return table.unpack(values, 1, values.n)
end

core.index_functions()
