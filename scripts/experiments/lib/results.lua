-- results.lua: what experiments show of what they measured: of graphs, each with by_name, the
-- summaries (measure.summary) of what policies or variants made of it.
local tables = dofile "lib/tables.lua"

local results = {}

-- Names of graphs, families or variants, in their order.
function results.names(list)
  local names = {}
  for i, one in ipairs(list) do names[i] = one.name end
  return names
end

-- a / b where both are.
function results.over(a, b)
  if a and b and b > 0 then return a / b end
end

-- Geometric mean of f(item) over a list, and of how many items there is one.
function results.mean_of(list, f)
  local values = {}
  for _, item in ipairs(list) do values[#values + 1] = f(item) end
  return statistics.geometric(values), #values
end

-- Geometric mean of ratios, with half the 95 % interval of the mean of their logarithms.
function results.geometric_text(values)
  local mean, logs = statistics.geometric(values), {}
  for i, value in ipairs(values) do logs[i] = math.log(value) end
  local ci95 = statistics.summary(logs).ci95
  return tables.number(mean)
    .. (mean and ci95 and (" ± %.2g"):format(mean * (math.exp(ci95) - 1)) or "")
end

-- Ratio of the times a step, if both have one.
function results.ratio(graph, name, to)
  local a, b = graph.by_name[name], graph.by_name[to]
  return a and b and results.over(a.makespan, b.makespan)
end

-- The geometric mean over graphs, and of how many.
function results.mean_ratio(graphs, name, to)
  return results.mean_of(graphs, function(graph) return results.ratio(graph, name, to) end)
end

-- The largest graph on which the first seed's search of a name left a curve; nil where none did.
function results.largest_searched(graphs, name)
  local chosen
  for _, graph in ipairs(graphs) do
    local cell = graph.by_name[name].cells[1]
    if cell.improvements and #cell.improvements > 0
      and (not chosen or graph.nodes > chosen.nodes) then
      chosen = graph
    end
  end
  return chosen
end

-- --- tables --------------------------------------------------------------------------------------

-- In ms, with 95 % intervals of several seeds, a row per graph and a column per name; below: a line
-- under it; more: rows for the foot, which may be left out.
function results.print_makespans(title, graphs, names, below, more)
  local rows, has_intervals = {}, false
  for i, graph in ipairs(graphs) do
    rows[i] = { graph.name }
    for k, name in ipairs(names) do
      local found = graph.by_name[name]
      has_intervals = has_intervals or found.ci95 ~= nil
      rows[i][k + 1] = found.makespan and tables.number(found.makespan * 1e3)
        .. (found.ci95 and (" ± %.2g"):format(found.ci95 * 1e3) or "")
        or ((found.why or ""):find "memory" and "OOM" or tables.NOTHING)
    end
  end
  if more then rows[#rows + 1] = false end
  for _, row in ipairs(more or {}) do rows[#rows + 1] = row end
  if has_intervals then title = title .. "; ± is half the 95 % interval of the mean" end
  tables.print(title, { "graph", table.unpack(names) }, rows, below)
end

-- --- files ---------------------------------------------------------------------------------------

-- A row for every seed of every name on every graph, by columns' names. complete(row, name, cell)
-- says more.
function results.rows(graphs, names, complete)
  local rows = {}
  for _, graph in ipairs(graphs) do
    for _, name in ipairs(names) do
      for _, cell in ipairs(graph.by_name[name].cells) do
        local row = {
          graph = graph.name, spec = graph.graph, family = graph.family, nodes = graph.nodes,
          devices = graph.devices,
          seed = cell.seed, valid = cell.valid, why = cell.why, makespan_s = cell.makespan,
          evaluations = cell.evaluations, best_evaluation = cell.best_evaluation,
          seconds = cell.seconds,
        }
        complete(row, name, cell)
        rows[#rows + 1] = row
      end
    end
  end
  return rows
end

-- Names against one of them over the graphs that both have: ratio of means over seeds, on how many
-- graphs a name wins, and how likely that is by chance.
function results.print_comparison(graphs, names, to)
  local means = {}
  for _, graph in ipairs(graphs) do
    for _, name in ipairs(names) do
      means[#means + 1] = { graph = graph.name, name = name,
                            makespan = graph.by_name[name].makespan }
    end
  end
  local found = records(means, { columns = { "graph", "name", "makespan" } }):compare{
    between = "name", to = to, value = "makespan", over = "graph" }
  print()
  print(("Against %s, graph by graph; p: two-sided, Wilcoxon's signed ranks and signs"):format(to))
  print(found:text{ columns = { "name", "n", "ratio", "wins", "ties", "losses", "p_wilcoxon",
    "p_sign" }, titles = { name = "", n = "graphs", p_wilcoxon = "p, ranks", p_sign = "p, signs" },
  })
end

-- --- plots ---------------------------------------------------------------------------------------

-- Ratios to what another name made of the same graph, with intervals, for plot_ratios.
function results.ratios(graphs, names, to)
  local rows = {}
  for _, graph in ipairs(graphs) do
    local base = graph.by_name[to].makespan
    for _, name in ipairs(names) do
      local found = graph.by_name[name]
      rows[#rows + 1] = { group = graph.name, name = name,
                          ratio = results.over(found.makespan, base),
                          ci95 = results.over(found.ci95, base) }
    end
  end
  return rows
end

-- Writes bars of a list of { group, name, ratio, ci95 }; without a ratio there is none.
function results.plot_ratios(out, file, rows, opts)
  local shown, has_intervals = {}, false
  for _, row in ipairs(rows) do
    if row.ratio then shown[#shown + 1] = row end
    has_intervals = has_intervals or row.ci95 ~= nil
  end
  if #shown > 0 then
    out.plot(file, plot.bars(shown, { x = "group", y = "ratio", by = "name", x_label = "",
      error = has_intervals and "ci95" or nil, title = opts.title, y_label = opts.y_label }),
      math.max(720, 120 + 14 * #shown))
  end
end

-- Writes the best so far of the first seeds' searches on a graph, of those names that have one, as
-- stairs; levels: lines across, makespans by name.
function results.plot_curves(out, file, graph, names, levels)
  local rows, last = {}, 1
  local function add(name, evaluation, makespan)
    rows[#rows + 1] = { name = name, evaluation = evaluation, makespan = makespan }
    last = math.max(last, evaluation)
  end
  for _, name in ipairs(names) do
    local cell = graph.by_name[name] and graph.by_name[name].cells[1]
    local at, best = 0, nil
    for _, step in ipairs(cell and cell.improvements or {}) do
      if best and step.evaluation - 1 > at then add(name, step.evaluation - 1, best) end
      at, best = step.evaluation, step.makespan
      add(name, at, best)
    end
    if best and cell.evaluations > at then add(name, cell.evaluations, best) end
  end
  for name, makespan in pairs(levels or {}) do
    add(name, 1, makespan)
    if last > 1 then add(name, last, makespan) end
  end
  out.plot(file, plot.lines(rows, { x = "evaluation", y = "makespan", by = "name", log = "xy",
    x_label = "evaluations", y_label = "time a step",
    title = graph.name .. ": the best plan so far" }))
end

return results
