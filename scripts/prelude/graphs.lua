-- graphs.lua: graph.new, g:rows and g:edit: graphs as lists of rows, a table for each node.
--
-- A row has the keys of the JSON file (engine/io/json.c), with the units and numbers of Lua: times
-- in seconds or as "0.5ms", false where the node cannot run; sizes in bytes or as "4MB"; outputs
-- from 1.
local core = ...
local ipairs, pairs, type, tostring, error = ipairs, pairs, type, tostring, error
local concat = table.concat

local AMOUNTS = { "read_bytes", "written_bytes", "param_bytes", "collective_bytes" }
local WORK = { "flops", "macs", "read_bytes", "written_bytes" } -- the estimate of a node's time
local PARAMETERS = { "param_bytes", "param_count" }

local function quantity(kind, value, i, row, what)
  local is_read, answer = true, value
  if type(value) ~= "number" then is_read, answer = pcall(core.quantity_of, kind, value) end
  if not is_read then
    error(("row %d (%s): %s: %s"):format(i, tostring(row.name), what,
      tostring(answer):match "%((.-)%)$" or answer), 5)
  end
  if answer < 0 then
    error(("row %d (%s): %s: at least 0 expected, got %s"):format(i, tostring(row.name), what,
      tostring(value)), 5)
  end
  return answer
end

-- --- rows to a text ------------------------------------------------------------------------------

local function times_of(times, i, row, kinds)
  if type(times) ~= "table" then times = { ["*"] = times } end -- of any kind
  local all = {}
  for kind, time in pairs(times) do
    if not kinds[kind] then
      kinds[kind] = true
      kinds[#kinds + 1] = kind
    end
    local what = kind == "*" and "times" or "times." .. kind
    all[kind] = time == false and "never" or quantity("time", time, i, row, what) * 1e6
  end
  return all
end

local function as_list(value)
  return type(value) == "table" and value or { value }
end

-- The name and the number of an input, which is a name for the first output.
local function output_of(input)
  if type(input) == "table" then return input[1], input[2] or 1 end
  return input, 1
end

local function inputs_of(inputs, i, row)
  local all = {}
  for k, input in ipairs(as_list(inputs)) do
    local from, output = output_of(input)
    if math.type(output) ~= "integer" or output < 1 then
      error(("row %d (%s): inputs[%d]: { name, number of its output from 1 } expected"):format(
        i, tostring(row.name), k), 4)
    end
    all[k] = output > 1 and { from, output - 1 } or from
  end
  return all
end

-- Names of the nodes that others read.
local function readers_of(rows)
  local are_read = {}
  for _, row in ipairs(rows) do
    for _, input in ipairs(type(row) == "table" and as_list(row.inputs) or {}) do
      are_read[output_of(input)] = true
    end
  end
  return are_read
end

local function outputs_of(outputs, i, row)
  local all = {}
  for k, output in ipairs(as_list(outputs)) do
    if type(output) == "table" then
      local copy = {}
      for key, value in pairs(output) do copy[key] = value end
      copy.bytes = quantity("bytes", output.bytes or 0, i, row, "outputs[" .. k .. "]")
      if output.transfers then
        copy.transfers = {}
        for n, transfer in ipairs(output.transfers) do
          local time = quantity("time", transfer[3], i, row, "outputs[" .. k .. "].transfers")
          copy.transfers[n] = { transfer[1], transfer[2], time * 1e6 }
        end
      end
      all[k] = copy
    else
      all[k] = quantity("bytes", output, i, row, "outputs[" .. k .. "]")
    end
  end
  return all
end

local function node_of(row, i, kinds, groups, are_read)
  if type(row) ~= "table" then error(("row %d: a table of the node expected"):format(i), 4) end
  local node = {}
  for key, value in pairs(row) do node[key] = value end
  if row.times ~= nil then node.times = times_of(row.times, i, row, kinds) end
  if row.inputs ~= nil then node.inputs = inputs_of(row.inputs, i, row) end
  if row.outputs ~= nil then node.outputs = outputs_of(row.outputs, i, row) end
  if row.outputs == nil and are_read[row.name] then node.outputs = { 0 } end
  for _, key in ipairs(AMOUNTS) do
    if row[key] ~= nil then node[key] = quantity("bytes", row[key], i, row, key) end
  end
  if type(row.group) == "string" then node.group = groups[row.group] end
  return json(node)
end

-- Numbers for groups that have names, after those that are numbers.
local function number_groups(rows)
  local groups, n = {}, 0
  for _, row in ipairs(rows) do
    local group = type(row) == "table" and row.group
    if math.type(group) == "integer" and group >= n then n = group + 1 end
  end
  for _, row in ipairs(rows) do
    local group = type(row) == "table" and row.group
    if type(group) == "string" and not groups[group] then
      groups[group] = n
      n = n + 1
    end
  end
  return groups
end

local ROOT = { name = "string", cluster = "string", warnings = "table" }

core.doc("graph.new", "(rows)",
  "A graph of rows, one table for each node: name, op, inputs (names, or { name, output }), "
    .. "outputs (bytes; one of none where others read it), times (seconds on any device, or by "
    .. "kind; false: cannot run), group, flops, macs, param_bytes and the like, as g:rows() has "
    .. "them; beside the rows name and cluster.",
  'graph.new{ { name = "x", outputs = "4MB" }, { name = "y", inputs = "x", times = "2ms" } }')
function graph.new(rows, ...)
  core.check("graph.new", ...)
  core.expect(rows, "table", 1, "new")
  local kinds, groups, nodes = {}, number_groups(rows), {}
  local are_read = readers_of(rows)
  local root = { goban = "graph", version = 1 }
  for key, value in pairs(rows) do
    if type(key) == "string" then
      if type(value) ~= ROOT[key] then
        error(("graph.new: there is no '%s' beside the rows; there are: cluster (a text), name, "
          .. "warnings"):format(key), 2)
      end
      root[key] = value
    end
  end
  for i, row in ipairs(rows) do nodes[i] = node_of(row, i, kinds, groups, are_read) end
  -- A node is a line, so that mistakes are found by their rows.
  root.kinds = kinds
  local text = json(root)
  text = text:sub(1, -2) .. ', "nodes": [\n' .. concat(nodes, ",\n") .. "\n]}"
  local made, why = graph.parse(text, { format = "json" })
  if not made then
    error((why:gsub("^%(text%):%d+: ", ""):gsub("nodes%[(%d+)%]", function(n)
      return ("row %d"):format(tonumber(n) + 1)
    end):gsub("has (%d+) outputs, none of them (%d+)", function(n, output)
      return ("has %s output%s, and none with the number %d"):format(n, n == "1" and "" or "s",
        tonumber(output) + 1)
    end)), 2)
  end
  return made
end

-- --- a graph as rows -----------------------------------------------------------------------------

local row_meta = { columns = { "name", "op", "inputs", "outputs", "times", "group", "flops",
                             "param_bytes" } }

local function seconds(time)
  if time == "never" then return false end
  return time / 1e6
end

local function row_of(node)
  for kind, time in pairs(node.times or {}) do node.times[kind] = seconds(time) end
  for k, input in ipairs(node.inputs or {}) do
    if type(input) == "table" then node.inputs[k] = { input[1], input[2] + 1 } end
  end
  for _, output in ipairs(node.outputs or {}) do
    for _, transfer in ipairs(type(output) == "table" and output.transfers or {}) do
      transfer[3] = seconds(transfer[3])
    end
  end
  return node
end

core.doc("Graph.rows", "()",
  "All of the graph as a list of tables, one for each node, which may be changed and given to "
    .. "graph.new; times in seconds, sizes in bytes.",
  "rows = g:rows()")
function core.types.Graph.methods:rows(...)
  core.check("Graph.rows", ...)
  local root = json.parse(self:text())
  local rows = setmetatable({}, row_meta)
  for i, node in ipairs(root.nodes) do rows[i] = row_of(node) end
  rows.name, rows.warnings = root.name, root.warnings
  rows.cluster = root.cluster ~= "" and root.cluster or nil
  return rows
end

core.doc("Graph.edges", "()",
  "A Table with a row for each edge: from, to, output (its number), bytes, and whether it is "
    .. "control, an order of execution alone; parallel edges are rows of their own.",
  "g:edges()")
function core.types.Graph.methods:edges(...)
  core.check("Graph.edges", ...)
  return core.table(core.edges(self), {
    columns = { "from", "to", "output", "bytes", "control" }, units = { bytes = "B" },
  })
end

-- --- changed copies ------------------------------------------------------------------------------

local EDITS = {
  where = true, cost = "number", scale = "table", set = "table", add = "table", remove = true,
  rewire = "table", split = "number",
}

local function check_edit(edit)
  for key, value in pairs(edit) do
    if not EDITS[key] then
      error(("g:edit: there is no '%s'; there are: add, cost, remove, rewire, scale, set, split, "
        .. "where"):format(tostring(key)), 3)
    end
    if EDITS[key] ~= true and type(value) ~= EDITS[key] then
      error(("g:edit: %s: %s expected"):format(key, EDITS[key]), 3)
    end
    if key == "cost" and not (value >= 0) then
      error("g:edit: cost: a factor of at least 0 expected, got " .. value, 3)
    end
  end
end

-- Names of the nodes of a set, a query, a list of names, or all of them.
local function names_of(g, where)
  local is_found, set = true, where
  if where == nil or where == true then set = g:nodes()
  elseif core.type(where) ~= "Set" then
    local is_list = type(where) == "table" and #where > 0
    is_found, set = pcall(is_list and g.nodes or g.where, g, where)
  end
  if not is_found then error("g:edit: where: " .. set, 3) end
  local names = {}
  for node in set:each() do names[node.name] = true end
  return names
end

local function scale_outputs(row, factor)
  for k, output in ipairs(row.outputs or {}) do
    if type(output) == "table" then
      output.bytes = (output.bytes or 0) * factor
      if factor ~= 1 then output.dims = nil end -- whose product they were
    else row.outputs[k] = output * factor end
  end
end

local function scale_times(row, factor)
  for kind, time in pairs(row.times or {}) do row.times[kind] = time and time * factor end
end

local function scale_numbers(row, keys, factor)
  for _, key in ipairs(keys) do row[key] = row[key] and row[key] * factor end
end

-- Scales given times; without them, the numbers that the estimate is made of.
local function scale_cost(row, factor)
  if row.times then scale_times(row, factor) else scale_numbers(row, WORK, factor) end
end

local SCALED = { times = scale_times, outputs = scale_outputs }
for _, key in ipairs { "flops", "macs", "param_count", table.unpack(AMOUNTS) } do
  SCALED[key] = function(row, factor) scale_numbers(row, { key }, factor) end
end

local function check_scale(factors)
  for key, factor in pairs(factors) do
    if not SCALED[key] then
      error(("g:edit: scale.%s: only numbers can be scaled, which are %s"):format(tostring(key),
        concat(core.keys(SCALED), ", ")), 3)
    end
    if type(factor) ~= "number" or not (factor >= 0) then
      error(("g:edit: scale.%s: a factor of at least 0 expected"):format(key), 3)
    end
  end
end

-- The edges of removed rows are removed, too.
local function drop(rows, gone)
  local left = setmetatable({}, row_meta)
  for _, row in ipairs(rows) do
    if not gone[row.name] then
      local inputs = {}
      for _, input in ipairs(row.inputs or {}) do
        if not gone[output_of(input)] then inputs[#inputs + 1] = input end
      end
      row.inputs = #inputs > 0 and inputs or nil
      left[#left + 1] = row
    end
  end
  return left
end

-- Each row of @names as so many parts of equal work, whose outputs all readers read.
local function split(rows, names, n)
  if math.type(n) ~= "integer" or n < 2 then
    error("g:edit: split: a whole number of parts, at least 2, expected", 4)
  end
  local parts = setmetatable({}, row_meta)
  for _, row in ipairs(rows) do
    local inputs = {}
    for _, input in ipairs(row.inputs or {}) do
      local from, output = output_of(input)
      if names[from] then
        for k = 1, n do inputs[#inputs + 1] = { from .. "/part" .. k, output } end
      else
        inputs[#inputs + 1] = input
      end
    end
    row.inputs = #inputs > 0 and inputs or nil
    if names[row.name] then
      scale_times(row, 1 / n)
      scale_outputs(row, 1 / n)
      scale_numbers(row, WORK, 1 / n)
      scale_numbers(row, PARAMETERS, 1 / n)
      for k = 1, n do
        local part = {}
        for key, value in pairs(row) do part[key] = value end
        part.name = row.name .. "/part" .. k
        parts[#parts + 1] = part
      end
    else
      parts[#parts + 1] = row
    end
  end
  return parts
end

-- { name = to, from = , input = }: another source for an input of a node, the first unless told;
-- from = false removes it, an input after the last is added. One change needs no list.
local function rewire(rows, changes)
  if changes.name or changes.from ~= nil then changes = { changes } end
  local by_name = {}
  for _, row in ipairs(rows) do by_name[row.name] = row end
  for k, change in ipairs(changes) do
    local row = type(change) == "table" and by_name[change.name or change[1]]
    if not row then
      error(("g:edit: rewire[%d]: { name = \"a node of the graph\", input = 1, from = "
        .. "\"another\" } expected"):format(k), 3)
    end
    row.inputs = row.inputs or {}
    local n = change.input or 1
    if math.type(n) ~= "integer" or n < 1 or n > #row.inputs + 1 then
      error(("g:edit: rewire[%d]: %s has %d inputs, and no input %s"):format(k, row.name,
        #row.inputs, tostring(n)), 3)
    end
    if change.from then row.inputs[n] = change.from else table.remove(row.inputs, n) end
  end
end

core.doc("Graph.edit", "(edit)",
  "A changed copy. where: a set, query or list of names (all unless told), whose nodes change: "
    .. "cost (a factor of their times), scale (factors by key), set (values by key), split (into "
    .. "so many parts), remove (true). Also add (rows) and rewire (a list such as { { name = "
    .. "\"b\", input = 1, from = \"a\" } }; from = false removes the input). A where that finds "
    .. "no node is an error.",
  'g:edit{ where = "op = Conv", cost = 2 }')
function core.types.Graph.methods:edit(edit, ...)
  core.check("Graph.edit", ...)
  core.expect(edit, "table", 1, "edit")
  check_edit(edit)
  check_scale(edit.scale or {})
  local rows = self:rows()
  local root = { name = rows.name, cluster = rows.cluster }
  local names = names_of(self, edit.where)
  if edit.where ~= nil and next(names) == nil then
    error("g:edit: where: no node of the graph is found by it, so that nothing would change", 2)
  end
  for _, row in ipairs(rows) do
    if names[row.name] then
      if edit.cost then scale_cost(row, edit.cost) end
      for key, factor in pairs(edit.scale or {}) do SCALED[key](row, factor) end
      for key, value in pairs(edit.set or {}) do row[key] = value end
    end
  end
  if edit.split then rows = split(rows, names, edit.split) end
  if edit.remove then
    rows = drop(rows, edit.remove == true and names or names_of(self, edit.remove))
  end
  for _, row in ipairs(edit.add or {}) do rows[#rows + 1] = row end
  if edit.rewire then rewire(rows, edit.rewire) end
  rows.name, rows.cluster = root.name, root.cluster
  return graph.new(rows)
end
