-- arrays.lua: array{...}, files of several arrays, and g:arrays().
local core = ...
local ipairs, pairs, type, error = ipairs, pairs, type, error

local of, save, load = array.of, array.save, array.load
array.of = nil

core.doc("array", "(list)",
  "An Array of a list of numbers. Arrays have + - * / ^ and many operations at once.",
  "array{ 1, 4, 9 }:sqrt()")
setmetatable(array, {
  __call = function(_, list, ...)
    core.check("array", ...)
    core.expect(list, "table", 1, "array", "list of numbers")
    local made = core.forward(of, list)
    return made
  end,
})

-- Arrays by name, also in tables of theirs: edges.from.
local function collect(arrays, prefix, all)
  for name, value in pairs(arrays) do
    if core.type(value) == "Array" then all[prefix .. name] = value
    elseif type(value) == "table" and name ~= "names" then
      collect(value, prefix .. name .. ".", all)
    end
  end
  return all
end

core.doc("array.save", "(path, arrays)",
  "Writes a table of arrays as NumPy's .npz, by their names, and returns the path.",
  'array.save("costs.npz", { cost = array{ 1, 2 } })')
function array.save(path, arrays, ...)
  core.check("array.save", ...)
  core.expect(path, "string", 1, "save")
  core.expect(arrays, "table", 2, "save", "table of arrays")
  if not path:find "%.npz$" then error("array.save: a path that ends in .npz expected", 2) end
  return save(path, collect(arrays, "", {}))
end

local meta = { __index = { save = function(self, path) return array.save(path, self) end } }

core.doc("array.load", "(path)",
  "The array of a .npy file, or the arrays of a .npz by name; nil and why if it cannot be read.",
  'array.load(a:save "a.npy")')
function array.load(path, ...)
  core.check("array.load", ...)
  core.expect(path, "string", 1, "load")
  local found, why = load(path)
  if type(found) == "table" then setmetatable(found, meta) end
  return found, why
end

local graph_methods = core.types.Graph.methods
local arrays_of = graph_methods.arrays

core.doc("Graph.arrays", "(opts)",
  "Columns of the graph as arrays, in topological order; opts: nodes (a list of fields; texts are "
    .. "numbers of the list names[field]), edges (true: edges.from, .to, .output, .bytes and "
    .. ".control, of the numbers of nodes from 1). Also order and level, the length of the longest "
    .. "path to a node. Its save writes all as .npz.",
  'g:arrays({ nodes = { "cost" }, edges = true }):save "g.npz"')
function graph_methods:arrays(opts, ...)
  core.check("Graph.arrays", ...)
  local nodes = type(opts) == "table" and opts.nodes
  if type(nodes) == "string" then opts = { nodes = { nodes }, edges = opts.edges } end
  for _, key in ipairs(type(nodes) == "table" and nodes or { nodes or nil }) do
    if core.fields[key] and core.fields[key].needs_run then
      error(("g:arrays: %s is of a run's nodes: records(r:nodes(), { columns = { \"%s\" } }):array "
        .. "\"%s\" has its numbers"):format(key, key, key), 2)
    end
  end
  local arrays = core.forward(arrays_of, self, opts or {})
  return setmetatable(arrays, meta)
end

core.doc("Table.array", "(column)",
  "The numbers of a column as an Array; NaN where one is missing.",
  't:array "makespan":mean()')
function core.types.Table.methods:array(column, ...)
  core.check("Table.array", ...)
  core.check_table_columns(self, { column }, "array")
  local numbers = {}
  for i, row in ipairs(self) do
    local value = row[column]
    if value ~= nil and type(value) ~= "number" then
      error(("t:array: column '%s' has a %s, numbers are needed"):format(column, type(value)), 2)
    end
    numbers[i] = value or 0 / 0
  end
  return array(numbers)
end
