-- measure.lua: what policies make of the graphs of a suite, through benches with one journal.
--
-- A cell is what one policy made of one graph with one seed: valid, why, makespan, evaluations,
-- seconds, and best_evaluation and improvements where it searched. Measured cells come from the
-- journal.
local machine = dofile "lib/machine.lua"

local measure = {}

-- Over so many nodes one seed has to do.
measure.LARGE = 40000

local function family_of(spec)
  return (spec:match "^([%w%-]+):" or spec:match "([^/]+)$")
end

-- The cells of the seeds, each with its own curve and when its best was found.
local function with_curves(result)
  for i, cell in ipairs(result.seeds) do
    local steps = result.improvements and result.improvements[i] or {}
    cell.improvements = steps
    cell.best_evaluation = #steps > 0 and steps[#steps].evaluation or nil
  end
  return result.seeds
end

-- How many seeds a script was asked for; two are the fewest with an interval.
function measure.seeds(asked, usual)
  return asked.seeds or (asked.quick and 2 or usual or 5)
end

-- A measure of the suite that a script was asked for. journal is a path; task may be left out.
function measure.open(asked, journal, task)
  local self = {}
  local suite = asked.suite or (asked.quick and "quick" or "go14")

  -- The journal is one bench's at a time, and a bench goes with Lua's garbage.
  local function run(rest)
    rest.suite, rest.task, rest.journal = suite, task, journal
    local b, why = bench.run(rest)
    if not b then error(why, 0) end
    local rows = b:rows()
    b = nil
    collectgarbage()
    return rows
  end

  -- The graphs: name, graph (its spec), family, cluster, nodes, devices, bound.
  function self.graphs()
    local rows = run{ graphs = asked.graphs, policies = { "expert" } }
    for _, row in ipairs(rows) do
      row.family = family_of(row.graph)
      row.is_large = row.nodes > measure.LARGE
    end
    return rows
  end

  -- The cells of one policy on one graph; asked: seeds, evals, seconds, network, settings, tasks.
  function self.cells(graph, policy, asked)
    local rest = { graphs = graph.name, policies = { policy } }
    for key, value in pairs(asked or {}) do rest[key] = value end
    if graph.is_large then rest.seeds = 1 end
    for _, row in ipairs(run(rest)) do
      if row.name == graph.name then
        for _, result in ipairs(row.results) do
          if result.policy == policy then return with_curves(result) end
        end
      end
    end
  end

  -- Whether a file can be a network's, or nil and why not.
  function self.has_network(path)
    local b, why = bench.new{ suite = suite, task = task, policies = { "single" }, network = path }
    return b and true, why
  end

  return self
end

-- What a policy made of a graph over its seeds: cells, makespan (mean), low, high, ci95 of
-- several, or why there is none.
function measure.summary(name, cells)
  local mean, why = measure.makespan(cells)
  local found = { name = name, cells = cells, makespan = mean, why = why }
  if mean then
    local each = {}
    for i, cell in ipairs(cells) do each[i] = cell.makespan end
    local all = statistics.summary(each)
    found.low, found.high, found.ci95 = all.min, all.max, all.ci95
  end
  return found
end

-- Geometric mean of the makespans, or nil and why where any seed has none that is valid.
function measure.makespan(cells)
  local values = {}
  for i, cell in ipairs(cells) do
    if not cell.valid then return nil, cell.why end
    values[i] = cell.makespan
  end
  return statistics.geometric(values)
end

-- Mean of a field over seeds, nil where one has none.
function measure.mean(cells, field)
  local values = {}
  for i, cell in ipairs(cells) do
    if not cell[field] or cell[field] <= 0 then return nil end
    values[i] = cell[field]
  end
  return statistics.geometric(values)
end

-- After how many evaluations a cell was first at least as good as a makespan; nil where it never
-- was, or where its improvements are not known.
function measure.evaluations_to(cell, makespan)
  for _, step in ipairs(cell.improvements or {}) do
    if step.makespan <= makespan * (1 + 1e-12) then return step.evaluation end
  end
end

-- What a reader must know of a table before its figures: where it was measured, that others stood
-- in, or that graphs were small.
function measure.tell(asked)
  print(("Goban %s on %s"):format(app.version, machine.describe()))
  if asked["stand-in"] then
    print("ATTENTION: others stand in (" .. asked["stand-in"]
      .. "): no figure below is of the policy it is under")
  end
  if asked.quick then
    print "quick form: small graphs and few evaluations, so nothing here is a finding"
  end
end

return measure
