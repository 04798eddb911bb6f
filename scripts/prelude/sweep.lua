-- sweep.lua: sweep{...}: a function over all combinations of some parameters, as records.
local core = ...
local ipairs, pairs, type = ipairs, pairs, type

local function names_of(opts)
  local names = {}
  for key, values in pairs(opts) do
    if key ~= "run" and key ~= "on_row" then
      if type(key) ~= "string" then
        error("sweep{...}: each parameter has a name: sweep{ layers = { 2, 4 }, run = f }", 4)
      end
      if type(values) ~= "table" or #values == 0 then
        error(("opts.%s: a list of values expected"):format(key), 4)
      end
      names[#names + 1] = key
    end
  end
  table.sort(names)
  if #names == 0 then
    error("sweep{...}: parameters expected: sweep{ layers = { 2, 4 }, run = f }", 4)
  end
  return names
end

-- All values of the i-th parameter and of those after it, the last one fastest.
local function each(opts, names, i, point, call)
  if i > #names then return call(point) end
  for _, value in ipairs(opts[names[i]]) do
    point[names[i]] = value
    each(opts, names, i + 1, point, call)
  end
end

-- The answer of the function as fields of a row.
local function fill(row, answer, why)
  local kind = core.type(answer)
  if kind == "number" then row.value = answer
  elseif kind == "Run" then
    row.run = answer
    row.makespan = answer.makespan
  elseif kind == "Plan" then
    fill(row, sim.run(answer))
  elseif kind == "table" then
    for key, value in pairs(answer) do row[key] = value end
    local run = row.run
    if run and row.makespan == nil and core.type(run) == "Run" then row.makespan = run.makespan end
  elseif answer == nil then
    row.error = type(why) == "string" and why or "no result"
  else
    row.value = answer
  end
end

-- What plot() shows of it: a line over one parameter, a heat map over two, of the makespan, else of
-- the first other column with numbers.
local function plot_of(names, others, has_number)
  local y
  for _, key in ipairs(others) do
    if has_number[key] and (not y or key == "makespan") then y = key end
  end
  if not y or #names > 2 then return nil end
  if #names == 1 then return { x = names[1], y = y } end
  return { kind = "heat", x = names[1], y = names[2], value = y }
end

-- A function that takes a row into account in the columns and the plot of the list, once it is
-- there and again if it has changed.
local function summarize(meta, names)
  local seen, others, has_number = {}, {}, {}
  for _, name in ipairs(names) do seen[name] = true end
  return function(row)
    local n = #others
    for key, value in pairs(row) do
      local kind = core.type(value)
      if not seen[key] and kind ~= "table" and kind ~= "Run" then
        seen[key] = true
        others[#others + 1] = key
      end
      if kind == "number" then has_number[key] = true end
    end
    if #others > n then
      table.sort(others)
      meta.columns = table.move(others, 1, #others, #names + 1, { table.unpack(names) })
    end
    meta.plot = plot_of(names, others, has_number)
  end
end

core.doc("sweep", "{name=, ..., run=, on_row=}",
  "Calls run with a table of parameters for every combination of the lists of values, and returns "
    .. "the list of records: the parameters with what run returns, which is a number, a run, a "
    .. "plan or a table. plot shows it as lines or a heat map. Stopped at a prompt, _ has the "
    .. "records so far; on_row is called with each record.",
  'plot(sweep{ n = { 2, 4 }, run = function(v) return plan.heft(g, 0, "equal:" .. v.n) end })')
function sweep(opts, ...)
  core.check("sweep", ...)
  core.expect(opts, "table", 1, "sweep")
  if type(opts.run) ~= "function" then
    error("opts.run: function of a table of parameters expected", 2)
  end
  local names = names_of(opts)
  local total, rows = 1, {}
  for _, name in ipairs(names) do total = total * #opts[name] end
  local meta = { columns = names, parameters = {} }
  for _, name in ipairs(names) do meta.parameters[name] = true end
  local add = summarize(meta, names)
  setmetatable(rows, meta)
  -- A stopped script returns nothing; what it has found is the last result all the same.
  if core.at_prompt then _ = rows end
  core.progress(0, ("sweep: 0 of %d"):format(total))
  each(opts, names, 1, {}, function(point)
    local row, copy = {}, {}
    for key, value in pairs(point) do row[key], copy[key] = value, value end
    fill(row, opts.run(copy))
    rows[#rows + 1] = row
    add(row)
    core.progress(#rows / total, ("sweep: %d of %d"):format(#rows, total))
    if opts.on_row then
      opts.on_row(row, rows)
      add(row)
    end
  end)
  core.progress(nil)
  return rows
end
