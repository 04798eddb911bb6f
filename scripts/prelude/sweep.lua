-- sweep.lua: sweep{...}: a function over all combinations of some parameters, as a Table.
local core = ...
local ipairs, pairs, type = ipairs, pairs, type

-- Keys that are no parameters.
local OPTIONS = { run = true, on_row = true, seeds = true, journal = true, jobs = true }

-- The lists of values by name, and the names in order.
local function parameters_of(opts)
  local lists, names = {}, {}
  for key, values in pairs(opts) do
    if not OPTIONS[key] then
      if type(key) ~= "string" then
        error("sweep{...}: each parameter has a name: sweep{ layers = { 2, 4 }, run = f }", 4)
      end
      if type(values) ~= "table" or #values == 0 then
        error(("opts.%s: a list of values expected"):format(key), 4)
      end
      lists[key] = values
    end
  end
  if opts.seeds ~= nil then
    if math.type(opts.seeds) ~= "integer" or opts.seeds < 1 or lists.seed then
      error("opts.seeds: how many seeds, a whole number of at least 1, in place of seed", 4)
    end
    lists.seed = range(1, opts.seeds)
  end
  if opts.jobs ~= nil and opts.jobs ~= 1 then
    error("opts.jobs: a sweep calls its function in this interpreter, one call after another; for "
      .. "several at once start goban-cli with parts of the lists and a journal each", 4)
  end
  for key in pairs(lists) do names[#names + 1] = key end
  table.sort(names)
  if #names == 0 then
    error("sweep{...}: parameters expected: sweep{ layers = { 2, 4 }, run = f }", 4)
  end
  return lists, names
end

core.doc("range", "(from, to, step)",
  "The numbers from one to another as a list, with a step (1 unless told), or \"log\": each twice "
    .. "the one before.",
  'range(1, 64, "log")')
function range(from, to, step, ...)
  core.check("range", ...)
  core.expect(from, "number", 1, "range")
  core.expect(to, "number", 2, "range")
  step = step == nil and 1 or step
  if step == "log" and from <= 0 or step ~= "log" and (type(step) ~= "number" or step == 0) then
    error("range: a step that is not 0, or \"log\" from a number above 0, expected", 2)
  end
  local list, value, n = {}, from, 0
  while step == "log" and value <= to or step ~= "log" and (to - value) * step >= 0 do
    n = n + 1
    list[n] = value
    value = step == "log" and value * 2 or from + n * step
  end
  return list
end

-- All values of the i-th parameter and of those after it, the last one fastest.
local function each(lists, names, i, point, call)
  if i > #names then return call(point) end
  for _, value in ipairs(lists[names[i]]) do
    point[names[i]] = value
    each(lists, names, i + 1, point, call)
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
-- the first other column with numbers; means of the seeds with their intervals.
local function plot_of(names, others, has_number, has_seeds)
  local y, axes = nil, {}
  for _, key in ipairs(others) do
    if has_number[key] and (not y or key == "makespan") then y = key end
  end
  for _, name in ipairs(names) do
    if not (has_seeds and name == "seed") then axes[#axes + 1] = name end
  end
  if not y or #axes > 2 or #axes == 0 then return nil end
  if #axes == 1 then return { x = axes[1], y = y, error = has_seeds and "ci95" or nil } end
  return { kind = "heat", x = axes[1], y = axes[2], value = y,
           reduce = has_seeds and "mean" or nil }
end

-- A function that takes a row into account in the columns and the plot of the list, once it is
-- there and again if it has changed.
local function summarize(meta, names, has_seeds)
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
    meta.plot = plot_of(names, others, has_number, has_seeds)
  end
end

-- --- journals ------------------------------------------------------------------------------------

-- A journal has a line of JSON for the names of the parameters and one for each row, its values and
-- what was found. The file is replaced whole, so that what is in it is whole: after each row, but
-- writing takes a twentieth of the time at most.
local WRITING_SHARE = 20

local function key_of(names, values)
  local parts = {}
  for i, name in ipairs(names) do parts[i] = json(values[name]) end
  return table.concat(parts, ",")
end

local function read_journal(path, names, lines)
  local found, n = {}, 0
  local text = app.read(path) -- nil: there is none yet
  for line in (text or ""):gmatch "[^\n]+" do
    n = n + 1
    local entry, why = json.parse(line)
    if type(entry) ~= "table" then
      error(("%s:%d: %s; remove the line, or the file"):format(path, n, why or "no row"), 4)
    end
    if n == 1 and (type(entry.sweep) ~= "table" or json(entry.sweep) ~= json(names)) then
      error(("%s: it is no journal of this sweep, whose parameters are %s; choose another "
        .. "file"):format(path, table.concat(names, ", ")), 4)
    end
    if n > 1 then found[key_of(names, entry)] = entry end
    lines[n] = line
  end
  if n == 0 then lines[1] = json{ sweep = names } end
  return found
end

-- A function that writes the lines when it is time to, or if told.
local function writer_of(path, lines)
  local due = 0
  return function(is_last)
    local begun = core.clock()
    if not is_last and begun < due then return end
    assert(app.write(path, table.concat(lines, "\n") .. "\n"))
    due = core.clock() + WRITING_SHARE * (core.clock() - begun)
  end
end

-- What a journal keeps of a row: texts, numbers and booleans.
local function plain(row)
  local kept = {}
  for key, value in pairs(row) do
    local kind = type(value)
    if kind == "string" or kind == "number" or kind == "boolean" then kept[key] = value end
  end
  return kept
end

-- --- sweep ---------------------------------------------------------------------------------------

-- The answer of the function; an error of it is that row's, and does not end the others.
local function call(run, point)
  local answer = table.pack(pcall(run, point))
  if answer[1] then return answer[2], answer[3], false end
  return nil, tostring(answer[2]), true
end

core.doc("sweep", "{name=, ..., seeds=, journal=, run=, on_row=}",
  "Calls run with a table of parameters for every combination of the lists of values, and returns "
    .. "a Table: the parameters with what run returns, which is a number, a run, a plan or a "
    .. "table; where it fails, the row has the error. seeds = 5 is seed = { 1, ..., 5 }. journal: "
    .. "a file that keeps the rows, from which the same sweep goes on. plot shows it as lines or a "
    .. "heat map. Stopped at a prompt, _ has the rows so far; on_row is called with each row.",
  'plot(sweep{ n = { 2, 4 }, run = function(v) return plan.heft(g, 0, "equal:" .. v.n) end })')
function sweep(opts, ...)
  core.check("sweep", ...)
  core.expect(opts, "table", 1, "sweep")
  if type(opts.run) ~= "function" then
    error("opts.run: function of a table of parameters expected", 2)
  end
  local lists, names = parameters_of(opts)
  local total, rows, n_failed, lines = 1, {}, 0, {}
  for _, name in ipairs(names) do total = total * #lists[name] end
  local found = opts.journal and read_journal(opts.journal, names, lines) or {}
  local write = opts.journal and writer_of(opts.journal, lines)
  local meta = { columns = names, parameters = {} }
  for _, name in ipairs(names) do meta.parameters[name] = true end
  local add = summarize(meta, names, lists.seed ~= nil and opts.seeds ~= nil)
  core.table(rows, meta)
  -- A stopped script returns nothing; what it has found is the last result all the same.
  if core.at_prompt then _ = rows end
  core.progress(0, ("sweep: 0 of %d"):format(total))
  each(lists, names, 1, {}, function(point)
    local row, copy = {}, {}
    for key, value in pairs(point) do row[key], copy[key] = value, value end
    local kept = opts.journal and found[key_of(names, row)]
    if kept then
      for key, value in pairs(kept) do row[key] = value end
    else
      local answer, why, is_failed = call(opts.run, copy)
      fill(row, answer, why)
      n_failed = n_failed + (is_failed and 1 or 0)
      if n_failed == total then error(why, 0) end
    end
    rows[#rows + 1] = row
    add(row)
    if opts.journal and not kept then
      lines[#lines + 1] = json(plain(row))
      write(false)
    end
    core.progress(#rows / total, ("sweep: %d of %d"):format(#rows, total))
    if opts.on_row then
      opts.on_row(row, rows)
      add(row)
    end
  end)
  if write then write(true) end
  core.progress(nil)
  return rows
end
