-- results.lua: what experiments show of what they measured: of graphs, each with by_name, the
-- summaries (measure.summary) of what policies or variants made of it.
local charts = dofile "lib/charts.lua"
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

-- --- charts --------------------------------------------------------------------------------------

-- A name's bars, with whiskers: ratios to what another made of the same graph.
function results.bars(graphs, name, to)
  return charts.series(name, graphs, function(graph)
    local found, base = graph.by_name[name], graph.by_name[to].makespan
    return results.over(found.makespan, base), results.over(found.low, base),
    results.over(found.high, base),
      base and not found.makespan and "no valid plan" or nil
  end)
end

-- The curves of the first seeds, of those names that have one.
function results.curves(graph, names)
  local series = {}
  for _, name in ipairs(names) do
    local found = graph.by_name[name]
    series[#series + 1] = found and charts.curve_of(name, found.cells[1])
  end
  return series
end

return results
