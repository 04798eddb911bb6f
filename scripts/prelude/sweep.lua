-- sweep.lua: sweep{...}: a function over all combinations of some parameters, as a Table.
local core = ...
local ipairs, pairs, type = ipairs, pairs, type
local translate = core.translate

-- Keys that are no parameters.
local OPTIONS = { run = true, on_row = true, seeds = true, journal = true, jobs = true, key = true,
                  columns = true }

-- In words, what a stop leaves: in _ at a prompt, in a journal (nil or false: none), or nothing.
function core.leave(kept, saved, nothing)
  local places = {}
  if core.at_prompt then places[1] = kept end
  if saved then places[#places + 1] = saved end
  core.left(places[1] and table.concat(places, ", ") or nothing)
end

-- Sorts names: first those of a list in its order, then the others by name.
function core.arrange(names, first)
  local places = {}
  for i, name in ipairs(first) do places[name] = i end
  table.sort(names, function(a, b)
    local x, y = places[a] or math.huge, places[b] or math.huge
    if x ~= y then return x < y end
    return a < b
  end)
end

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
  if opts.key ~= nil and type(opts.key) ~= "string" then
    error("opts.key: a text expected that tells the rows of a journal from those of others", 4)
  end
  if opts.jobs ~= nil and (math.type(opts.jobs) ~= "integer" or opts.jobs < 1) then
    error("opts.jobs: how many processes, a whole number of at least 1", 4)
  end
  local columns = opts.columns or {}
  if type(columns) ~= "table" then
    error("opts.columns: a list of names expected, such as { \"policy\", \"gbps\" }", 4)
  end
  for key in pairs(lists) do names[#names + 1] = key end
  core.arrange(names, columns)
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

-- The parameters of the i-th combination, of which the last one's change fastest.
local function point_of(lists, names, i)
  local point, rest = {}, i - 1
  for k = #names, 1, -1 do
    local list = lists[names[k]]
    point[names[k]] = list[rest % #list + 1]
    rest = rest // #list
  end
  return point
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

-- Values that journals and other processes keep, and columns show.
local function is_plain(value)
  local kind = type(value)
  return kind == "string" or kind == "number" or kind == "boolean"
end

-- Numbers as JSON has them, so that a row is the same whoever has found it.
local function tidy(row)
  local endless
  for key, value in pairs(row) do
    if math.type(value) == "float" then
      if value ~= value or value == math.huge or value == -math.huge then
        row[key], endless = nil, key
      elseif value == math.floor(value) and value > -1e15 and value < 1e15 then
        row[key] = math.tointeger(value)
      end
    end
  end
  if endless and row.error == nil then row.error = endless .. " is no finite number" end
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
local function summarize(meta, names, has_seeds, first)
  local seen, others, has_number = {}, {}, {}
  for _, name in ipairs(names) do seen[name] = true end
  return function(row)
    local n = #others
    for key, value in pairs(row) do
      local kind = core.type(value)
      if not seen[key] and is_plain(value) then
        seen[key] = true
        others[#others + 1] = key
      end
      if kind == "number" then has_number[key] = true end
    end
    if #others > n then
      core.arrange(others, first)
      meta.columns = table.move(others, 1, #others, #names + 1, { table.unpack(names) })
    end
    meta.plot = plot_of(names, others, has_number, has_seeds)
  end
end

-- --- journals ------------------------------------------------------------------------------------

-- A journal has a line of JSON for the names of the parameters, with what the function depends on,
-- and one for each row, its values and what was found, in the order of the table, and behind them
-- those of combinations that are not asked for now. The file is replaced whole, so that what is in
-- it is whole: after each row, but writing takes a twentieth of the time at most.
local WRITING_SHARE = 20

local function key_of(names, values)
  local parts = {}
  for i, name in ipairs(names) do parts[i] = json(values[name]) end
  return table.concat(parts, ",")
end

-- The names in which two fingerprints differ; nil: none.
local function differences(a, b)
  local names = {}
  for name, text in pairs(a) do
    if b[name] ~= text then names[#names + 1] = name end
  end
  for name in pairs(b) do
    if a[name] == nil then names[#names + 1] = name end
  end
  table.sort(names)
  return #names > 0 and table.concat(names, ", ") or nil
end

-- As a journal names the parameters, whatever the order of the columns.
local function sorted(names)
  local copy = { table.unpack(names) }
  table.sort(copy)
  return copy
end

local function check_head(path, head, names, made_by)
  if type(head.sweep) ~= "table" or json(head.sweep) ~= json(sorted(names)) then
    error(("%s: it is no journal of this sweep, whose parameters are %s; choose another "
      .. "file"):format(path, table.concat(names, ", ")), 5)
  end
  local other = differences(type(head.made_by) == "table" and head.made_by or {}, made_by)
  if other then
    error(("%s: its rows were found with another %s; choose another file, or remove this one. "
      .. "With key = \"a text\" that text alone decides which rows belong together"):format(path,
      other), 5)
  end
end

-- The rows of a journal by key, { entry, line }, and its keys in their order. Rows with an error
-- are tried again.
local function read_journal(path, names, made_by)
  local found, keys, n = {}, {}, 0
  local text = app.read(path)
  if not text then -- there is none yet, which no later mistake is about
    text = ""
    core.last_failure()
  end
  for line, stop in text:gmatch "([^\n]+)(\n?)" do
    n = n + 1
    local entry, why = json.parse(line)
    if type(entry) ~= "table" and stop == "" then
      core.note(translate("%s: its last line is incomplete and left out"):format(path))
      break
    elseif type(entry) ~= "table" then
      error(("%s:%d: %s; remove the line, or the file"):format(path, n, why or "no row"), 4)
    end
    if n == 1 then
      check_head(path, entry, names, made_by)
    elseif type(entry.error) ~= "string" then
      keys[#keys + 1] = key_of(names, entry)
      found[keys[#keys]] = { entry = entry, line = line }
    end
  end
  return found, keys
end

-- A function that writes the lines when it is time to, or if told; true if it did.
local function writer_of(path, head, lines, others)
  local due = 0
  return function(is_last)
    local begun = core.clock()
    if not is_last and begun < due then return end
    local all = { json(head) }
    for i = 1, lines.n do all[#all + 1] = lines[i] end
    table.move(others, 1, #others, #all + 1, all)
    assert(app.write(path, table.concat(all, "\n") .. "\n"))
    due = core.clock() + WRITING_SHARE * (core.clock() - begun)
    return true
  end
end

-- The fields of a row that are kept.
local function plain(row)
  local kept = {}
  for key, value in pairs(row) do
    if is_plain(value) then kept[key] = value end
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

-- The row of a combination, and whether the function raised an error.
local function compute(cells, i)
  local row, copy = point_of(cells.lists, cells.names, i), {}
  for key, value in pairs(row) do copy[key] = value end
  local answer, why, has_failed = call(cells.run, copy)
  fill(row, answer, why)
  tidy(row)
  return row, has_failed
end

-- A table of means would only show that some are missing.
local function note_errors(rows)
  local n, first = 0, nil
  for _, row in ipairs(rows) do
    if type(row.error) == "string" then n, first = n + 1, first or row.error end
  end
  if n > 0 then
    core.note(translate("%d of %d rows have an error, the first: %s"):format(n, #rows, first))
  end
end

-- The row of a combination of which an entry is kept; parameters may be more than texts.
local function row_of(cells, i, entry)
  local row = point_of(cells.lists, cells.names, i)
  for key, value in pairs(entry) do row[key] = value end
  return row
end

-- --- several processes ---------------------------------------------------------------------------

-- A function cannot go to another process, but a script can be run again: followers run it as it is
-- up to the sweep, where each tells that it is there and gets the number of a combination, gives
-- back its row and gets the next one. Only this process has the table and the journal. Followers of
-- a later sweep get the rows of earlier ones as they come to them.
--
-- Decision A20 (app/NOTES.md).
local n_shared = 0       -- sweeps so far of which several processes have a part
local rows_of = {}       -- of each as an order
local is_in_cell = false -- a follower: within its function, where it is as any other process

-- The row, and whether the function raised an error; what it prints and writes is its own.
local function compute_apart(cells, i, is_silent)
  is_in_cell = true
  core.discard_files(false)
  local row, has_failed = compute(cells, i)
  core.discard_files(is_silent)
  is_in_cell = false
  return plain(row), has_failed
end

local function follow(cells)
  local message = { sweep = n_shared, cells = cells.text }
  while true do
    local order = json.parse(core.report(json(message)))
    if order.rows then return order.rows end
    local row, has_failed = compute_apart(cells, order.cell, true)
    message = { cell = order.cell, row = row, has_failed = has_failed }
  end
end

-- Gives the open combinations out, and calls take for each row that comes back.
local function lead(cells, open, followers, take)
  local n_given, n_left = 0, #open
  while n_left > 0 do
    local who, line = core.hear_follower(followers)
    local message = who and json.parse(line)
    if type(message) ~= "table" then error(line, 0) end
    local order
    if message.sweep and message.sweep < n_shared then
      order = rows_of[message.sweep]
    elseif message.sweep and (message.sweep ~= n_shared or message.cells ~= cells.text) then
      error("opts.jobs: run again in another process, the script came to another sweep; what it "
        .. "does before must not depend on the time, on chance or on files that change", 0)
    elseif message.cell then
      n_left = n_left - 1
      take(message.cell, row_of(cells, message.cell, message.row), message.has_failed)
    end
    if not order and n_given < #open then
      n_given = n_given + 1
      order = json{ cell = open[n_given] }
    end
    if order then
      local is_told, why = core.tell_follower(followers, who, order)
      if not is_told then error(why, 0) end
    end
  end
end

local function share(cells, open, jobs, take)
  if #open == 0 then return end
  local followers, why = core.start_followers(math.min(jobs, #open))
  if not followers then
    error(why or "opts.jobs: other processes run the script again from its file, which there is "
      .. "none of here: write it to a file and start it by goban-cli run FILE, or leave jobs out",
      3)
  end
  local is_done, trouble = pcall(lead, cells, open, followers, take)
  core.end_followers(followers)
  if not is_done then error(trouble, 0) end
end

-- Under mpirun all ranks run the script and come to the same sweeps. In rounds each computes some
-- of the open combinations, and then all get the rows of all; a round has so many that it takes
-- seconds, as the slowest is waited for. The first rank alone knows the journal.
local SHORT, LONG = 1, 10 -- seconds of a round

local function gather(message)
  local text, why = core.gather(json(message))
  if not text then error(why, 0) end
  local messages = {}
  for line in text:gmatch "[^\n]+" do messages[#messages + 1] = assert(json.parse(line)) end
  return messages
end

local function share_with_ranks(cells, kept, take)
  local rank, size = core.rank()
  local rows, open = {}, {}
  for i, one in pairs(kept) do rows[#rows + 1] = { cell = i, row = one.entry } end
  local heads = gather{ cells = cells.text, rows = rank == 0 and rows or {} }
  for _, head in ipairs(heads) do
    if head.cells ~= cells.text then
      error("the ranks have come to different sweeps; what a script does before must not depend "
        .. "on the time, on chance or on files that change", 0)
    end
  end
  for _, one in ipairs(heads[1].rows) do
    open[one.cell] = false
    take(one.cell, row_of(cells, one.cell, one.row))
  end
  local left = {}
  for i = 1, cells.n do
    if open[i] == nil then left[#left + 1] = i end
  end
  local at, batch = 0, 1
  while at < #left do
    local begun, own, most = core.clock(), {}, 0
    for k = 0, batch - 1 do -- turned round by round, as neighbours may take different times
      local i = left[at + 1 + k * size + (rank + k) % size]
      local row, has_failed
      if i then row, has_failed = compute_apart(cells, i, rank > 0) end
      own[#own + 1] = row and { cell = i, row = row, has_failed = has_failed }
    end
    for _, message in ipairs(gather{ seconds = core.clock() - begun, rows = own }) do
      most = math.max(most, message.seconds)
      for _, one in ipairs(message.rows) do
        take(one.cell, row_of(cells, one.cell, one.row), one.has_failed)
      end
    end
    at = at + batch * size
    if most < SHORT then batch = batch * 2
    elseif most > LONG then batch = math.max(1, batch // 2) end
  end
end

-- --- sweep ---------------------------------------------------------------------------------------

local function open_cells(opts)
  local lists, names = parameters_of(opts)
  local parts, n = {}, 1
  for i, name in ipairs(names) do
    parts[i] = name .. " " .. json(lists[name])
    n = n * #lists[name]
  end
  return { lists = lists, names = names, n = n, run = opts.run, text = table.concat(parts, " ") }
end

core.doc("sweep", "{name=, ..., seeds=, columns=, jobs=, journal=, key=, run=, on_row=}",
  "Calls run with a table of parameters for every combination of the lists of values, and returns "
    .. "a Table: the parameters with what run returns, which is a number, a run, a plan or a "
    .. "table; where it fails, the row has the error. seeds = 5 is seed = { 1, ..., 5 }. columns: "
    .. "names in the order in which they come, parameters before results, others by name behind "
    .. "them; the last parameter changes fastest, and the first is the axis of the plot. journal: "
    .. "a file that keeps the rows, from which the same sweep goes on: refused if the code of "
    .. "run, a variable that it uses or a policy in Lua has changed since, or key, a text in place "
    .. "of these; rows with errors are tried again. jobs: so many processes "
    .. "share the combinations, of a script that goban-cli run FILE runs; each runs the script up "
    .. "to the sweep, and rows have texts, numbers and booleans alone. Under mpirun the ranks "
    .. "share them. plot shows it as lines or a heat map. Stopped at a prompt, _ has the rows so "
    .. "far; on_row is called with each row.",
  'plot(sweep{ n = { 2, 4 }, run = function(v) return plan.heft(g, 0, "equal:" .. v.n) end })')
function sweep(opts, ...)
  core.check("sweep", ...)
  core.expect(opts, "table", 1, "sweep")
  if type(opts.run) ~= "function" then
    error("opts.run: function of a table of parameters expected", 2)
  end
  local cells = open_cells(opts)
  local names, total = cells.names, cells.n
  local rank, size = core.rank()
  local has_ranks = size > 1 and not is_in_cell
  local is_shared = (opts.jobs or 1) > 1 and not is_in_cell and not has_ranks
  local follows = is_shared and core.is_follower()
  local journal = not follows and (rank == 0 or not has_ranks) and opts.journal
  local found, keys, head = {}, {}, nil
  if journal then
    head = { sweep = sorted(names),
             made_by = opts.key and { key = opts.key } or core.fingerprint(opts.run, journal) }
    found, keys = read_journal(journal, names, head.made_by)
  end
  local rows, results, lines, n_found, n_failed = {}, {}, { n = total }, 0, 0
  local kept, others, open, write = {}, {}, {}, nil
  for i = 1, total do
    local key = journal and key_of(names, point_of(cells.lists, names, i))
    kept[i], found[key or ""] = found[key or ""], nil
    if not kept[i] then open[#open + 1] = i end
  end
  for _, key in ipairs(keys) do others[#others + 1] = found[key] and found[key].line end
  if journal then write = writer_of(journal, head, lines, others) end
  if journal and #open < total then
    core.note(translate("%d of %d rows taken from %s"):format(total - #open, total, journal))
  end
  local meta = { columns = names, parameters = {} }
  for _, name in ipairs(names) do meta.parameters[name] = true end
  local add = summarize(meta, names, cells.lists.seed ~= nil and opts.seeds ~= nil,
    opts.columns or {})
  core.table(rows, meta)
  -- A stopped script returns nothing; what it has found is the last result all the same.
  if core.at_prompt then _ = rows end

  local n_saved = total - #open
  local function leave()
    core.leave(translate("%d of %d rows are in _"):format(#rows, total),
      journal and translate("%d are in %s"):format(n_saved, journal),
      translate("nothing is kept; journal = \"FILE\" would keep the rows"))
  end

  -- Rows are shown in the order of the combinations, in whichever they come.
  local function take(i, row, has_failed)
    n_failed = n_failed + (has_failed and 1 or 0)
    if n_failed == total then error(row.error, 0) end
    n_found, results[i] = n_found + 1, row
    if is_shared or write then lines[i] = kept[i] and kept[i].line or json(plain(row)) end
    if write and not kept[i] and write(false) then n_saved = n_found end
    core.progress(n_found / total, translate("sweep: %d of %d"):format(n_found, total))
    while results[#rows + 1] do
      row = results[#rows + 1]
      rows[#rows + 1] = row
      add(row)
      if opts.on_row then
        opts.on_row(row, rows)
        add(row)
      end
    end
    leave()
  end

  leave()
  core.progress(0, translate("sweep: %d of %d"):format(0, total))
  n_shared = n_shared + (is_shared and 1 or 0)
  if has_ranks then
    share_with_ranks(cells, kept, take)
  elseif follows then
    for i, entry in ipairs(follow(cells)) do take(i, row_of(cells, i, entry)) end
  else
    for i = 1, total do
      if kept[i] then take(i, row_of(cells, i, kept[i].entry))
      elseif not is_shared then take(i, compute(cells, i)) end
    end
    if is_shared then
      share(cells, open, opts.jobs, take)
      rows_of[n_shared] = '{"rows": [' .. table.concat(lines, ", ") .. "]}"
    end
  end
  if write then write(true) end
  core.progress(nil)
  core.left(nil)
  if not follows and core.rank() == 0 then note_errors(rows) end
  return rows
end
