-- tables.lua: Tables, their statistics and their files.
local t = dofile "support.lua"
local folder = arg[2]

local function near(a, b, tolerance)
  if not a or math.abs(a - b) > (tolerance or 1e-9) * math.max(1, math.abs(b)) then
    error(("%s, %.12g expected"):format(tostring(a), b), 2)
  end
end

-- --- distributions -------------------------------------------------------------------------------

-- Known values of Student's t at 97.5 % and others.
for n, value in pairs { [1] = 12.7062047362, [2] = 4.30265272991, [4] = 2.7764451052,
  [9] = 2.26215716285, [10] = 2.22813885196, [30] = 2.0422724563, [100] = 1.98397151845,
  [1000] = 1.96233908083, [10000] = 1.96020123947 } do
  near(statistics.t_quantile(0.975, n), value, 1e-9)
  near(statistics.t_quantile(0.025, n), -value, 1e-9)
end
near(statistics.t_quantile(0.95, 5), 2.01504837267, 1e-9)
near(statistics.t_quantile(0.995, 3), 5.84090930973, 1e-9)
assert(statistics.t_quantile(0.5, 7) == 0)
near(statistics.t_quantile(0.9, 500), statistics.t_quantile(0.9, 501), 1e-5) -- both ways to it
t.raises("between 0 and 1", statistics.t_quantile, 1, 3)
t.raises("degrees of freedom", statistics.t_quantile, 0.9, 1.5)

local s = statistics.summary{ 2, 4, 4, 4, 5, 5, 7, 9 }
near(s.mean, 5) near(s.spread, math.sqrt(32 / 7)) near(s.median, 4.5)
near(s.ci95, 2.36462425159 * math.sqrt(32 / 7) / math.sqrt(8))
assert(s.n == 8 and s.min == 2 and s.max == 9)
local equal = statistics.summary{ 0.1, 0.1, 0.1 }
assert(equal.ci95 == 0 and equal.mean == 0.1)
assert(statistics.summary{}.n == 0 and statistics.summary{ 3 }.ci95 == nil)

near(statistics.sign_test(9, 1), 22 / 1024)
near(statistics.sign_test(0, 5), 2 / 32)
assert(statistics.sign_test(3, 3) == 1 and statistics.sign_test(0, 0) == 1)
near(statistics.sign_test(900, 1100), 8.5e-6, 0.1)

-- The depression scores of Hollander and Wolfe (1973): V = 40 of 9, one-sided p = 0.01953.
local before = { 1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30 }
local after = { 0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29 }
local differences = {}
for i, x in ipairs(before) do differences[i] = x - after[i] end
near(statistics.wilcoxon(differences), 0.0390625)
near(statistics.wilcoxon{ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, 2 / 1024)
near(statistics.wilcoxon{ 1, 1, 0 }, 0.5) -- a zero is left out, ties share their ranks
assert(statistics.wilcoxon{ 0, 0 } == 1 and statistics.wilcoxon{ 1, -1 } == 1)
do -- about the same on both sides of where counting ends
  local list = {}
  for i = 1, 50 do list[i] = i % 3 == 0 and -i or i end
  local exact = statistics.wilcoxon(list)
  list[51] = 0.5
  near(statistics.wilcoxon(list), exact, 0.02)
end

-- Intervals cover the mean of 95 % of samples: of 2,000, within five deviations of the binomial
-- distribution, 95 % +- 2.44 %. Samples are of a normal and a uniform distribution.
local state = 88172645463325252
local function random()
  state = state ~ (state << 13)
  state = state ~ (state >> 7)
  state = state ~ (state << 17)
  return ((state >> 11) + 0.5) / (1 << 53)
end
local function normal()
  return math.sqrt(-2 * math.log(random())) * math.cos(2 * math.pi * random())
end
for name, draw in pairs { normal = normal, uniform = function() return random() - 0.5 end } do
  for _, size in ipairs { 3, 10, 40 } do
    local covered = 0
    for _ = 1, 2000 do
      local sample = {}
      for i = 1, size do sample[i] = draw() end
      local found = statistics.summary(sample)
      if math.abs(found.mean) <= found.ci95 then covered = covered + 1 end
    end
    -- A t interval of three numbers of a uniform distribution is known to cover less.
    local least = name == "uniform" and size == 3 and 1780 or 1851
    assert(covered >= least and covered <= 1949, name .. size .. ": " .. covered)
  end
end

-- --- rows ----------------------------------------------------------------------------------------

local made = records({
  { policy = "heft", graph = "a", seed = 1, makespan = 2e-3, valid = true },
  { policy = "metis", graph = "a", seed = 1, makespan = 3e-3, valid = true },
  { policy = "heft", graph = "b", seed = 1, makespan = 5e-3, valid = true },
  { policy = "metis", graph = "b", seed = 1, makespan = 4e-3, valid = false },
  { policy = "heft", graph = "c", seed = 1, makespan = 1e-3, valid = true },
  { policy = "metis", graph = "c", seed = 1, valid = false },
}, { columns = { "policy", "graph", "seed", "makespan", "valid" } })
assert(#made == 6 and made[3].graph == "b")
local columns = made:columns()
assert(columns[1].name == "policy" and columns[1].kind == "text" and columns[4].unit == "s"
  and columns[4].kind == "number" and columns[5].kind == "boolean")
t.raises("column 'x' has values of several kinds", records, { { x = 1 }, { x = "1" } })
t.raises("row 2 is a number", records, { { x = 1 }, 3 })
t.raises("tables.lua:%d+: t:sort: there is no column 'gbps'; there are: policy, graph",
  function() made:sort "gbps" end)
t.raises("tables.lua:%d+: t:values: there is no column", function() made:values "gbps" end)
t.raises("tables.lua:%d+: t:text: there is no column", function() made:text{ columns = "no" } end)
t.raises("opts.vale: t:summary has no such option; there are: by, value",
  function() made:summary{ vale = "makespan" } end)
t.raises("column 'policy' has a string, numbers are needed",
  function() made:summary{ value = "policy" } end)

local sorted = made:sort{ "policy", "-makespan" }
assert(sorted[1].graph == "b" and sorted[3].graph == "c" and sorted[6].graph == "c")
assert(made[1].graph == "a" and #made:filter{ policy = "heft" } == 3)
assert(#made:filter(function(row) return row.makespan and row.makespan > 2e-3 end) == 3)
local added = made:add("twice", function(row) return row.makespan and row.makespan * 2 end, "s")
assert(added[1].twice == 4e-3 and made[1].twice == nil and added:columns()[6].unit == "s")
assert(made:choose{ "graph", "seed" }:csv():find "^graph,seed\na,1\n")
assert(#made:values "makespan" == 5)
local parts = made:group "policy"
assert(#parts == 2 and parts[1].policy == "heft" and parts[1].n == 3
  and parts[2].rows:values "makespan"[2] == 4e-3)
local mapped = made:map(function(row)
  return row.valid and { graph = row.graph, ms = row.makespan * 1e3 } or nil
end)
assert(#mapped == 4 and mapped:columns()[1].name == "graph" and mapped[1].ms == 2)
local joined = made:join(records{ { graph = "a", nodes = 5 }, { graph = "c", nodes = 7 } }, "graph")
assert(#joined == 4 and joined[1].nodes == 5 and joined[4].nodes == 7
  and joined[4].policy == "metis")
joined = made:join(records{ { graph = "a", nodes = 5 } }, "graph", true)
assert(#joined == #made and joined[1].nodes == 5 and joined[#joined].nodes == nil)
t.raises("both have a column 'seed'", function()
  made:join(records{ { graph = "a", seed = 2 } }, "graph")
end)
t.raises("Table expected", function() made:join({}, "graph") end)
local wide = made:wide{ rows = "graph", columns = "policy", value = "makespan" }
assert(#wide == 3 and wide[2].heft == 5e-3 and wide[2].metis == 4e-3 and wide[3].metis == nil)
t.raises("3 rows have seed = 1 and policy = heft: add reduce",
  function() made:wide{ rows = "seed", columns = "policy", value = "makespan" } end)
near(made:wide{ rows = "seed", columns = "policy", value = "makespan",
  reduce = "geometric" }[1].heft, (2e-3 * 5e-3 * 1e-3) ^ (1 / 3))

-- A Table with and without rows at a prompt, as json and of nodes.
app.open(arg[1])
assert(#records(g:nodes(), { columns = { "name", "cost" } }) == #g)
assert(records(g:nodes())[1].node.name == g:nodes():at(1).name)
assert(records({ runs_of = 1, n = 2 }) and #records{} == 0)
assert(g:edges():columns()[4].unit == "B"
  and g:edges():summary{ value = "bytes" }[1].n == #g:edges())

-- --- statistics ----------------------------------------------------------------------------------

local summary = made:summary{ by = "policy", value = "makespan" }
assert(#summary == 2 and summary[1].policy == "heft" and summary[1].n == 3
  and summary[2].n == 2 and summary[2].missing == 1 and summary[1].missing == nil)
near(summary[1].mean, 8e-3 / 3) near(summary[1].median, 2e-3)
near(summary[1].ci95, 4.30265272991 * summary[1].spread / math.sqrt(3))
assert(summary:columns()[3].unit == "s" and summary:columns()[2].unit == "")

local pairs_of = made:compare{ between = "policy", value = "makespan" }
assert(#pairs_of == 1)
local row = pairs_of[1]
assert(row.policy == "heft" and row.to == "metis" and row.n == 2 and row.unpaired == 1
  and row.wins == 1 and row.losses == 1 and row.ties == 0)
near(row.mean, 0) near(row.ratio, math.sqrt(2 / 3 * 5 / 4)) near(row.p_sign, 1)
row = made:compare{ between = "policy", value = "makespan", to = "heft", best = "max" }[1]
assert(row.policy == "metis" and row.wins == 1)
t.raises("no row has policy = hefft",
  function() made:compare{ between = "policy", value = "makespan", to = "hefft" } end)
t.raises("two rows have the same seed: name more columns in over",
  function() made:compare{ between = "policy", value = "makespan", over = "seed" } end)
row = made:compare{ between = "policy", value = "makespan", over = "valid", reduce = "mean" }[1]
t.raises("or add reduce = \"mean\"",
  function() made:compare{ between = "policy", value = "makespan", over = "seed" } end)
near(row.mean, 8e-3 / 3 - 3e-3)
t.raises("name of one column expected, got a list", function()
  made:wide{ rows = "graph", columns = { "policy", "seed" }, value = "makespan" }
end)
t.raises("over = { \"graph\", \"seed\" } expected", function()
  records{ { k = "a", v = 1 } }:compare{ between = "k", value = "v" }
end)

-- --- sweeps, and where series cross --------------------------------------------------------------

assert(table.concat(range(1, 64, "log"), " ") == "1 2 4 8 16 32 64"
  and table.concat(range(4, 1, -1), " ") == "4 3 2 1" and #range(0, 1, 0.1) == 11)
t.raises("a step that is not 0", range, 1, 2, 0)

local function cost(v)
  if v.policy == "broken" and v.gbps == 4 then error "no plan" end
  local base = v.policy == "mine" and 10 or 4 + 12 / v.gbps
  return { makespan = base + v.seed * 1e-3, gap = v.seed }
end
local asked = { policy = { "heft", "mine", "broken" }, gbps = range(1, 8, "log"), seeds = 3,
  run = cost }
local swept = sweep(asked)
assert(#swept == 36 and #swept:filter(function(r) return r.error end) == 3)
assert(swept:filter{ policy = "broken", gbps = 4 }[1].error:find "tables.lua:%d+: no plan")
local means = swept:filter(function(r) return r.policy ~= "broken" end)
  :summary{ by = { "policy", "gbps" }, value = "makespan" }
assert(#means == 8 and means[1].n == 3)
near(means[1].mean, 16.002)
local front = records{ { time = 1, memory = 9, use = 1 }, { time = 2, memory = 3, use = 5 },
  { time = 2, memory = 3, use = 5 }, { time = 3, memory = 4, use = 6 }, { time = 4 } }
assert(#front:pareto{ "time", "memory" } == 3)
assert(#front:pareto{ "time", "memory", "-use" } == 4)
-- As all pairs say, and fast where there are many.
do
  local function beats(a, b, keys)
    local is_better = false
    for _, key in ipairs(keys) do
      if a[key] > b[key] then return false end
      is_better = is_better or a[key] < b[key]
    end
    return is_better
  end
  local state = 5
  local function draw(n)
    state = (state * 1103515245 + 12345) % 2147483648
    return state // 65536 % n
  end
  for _, keys in ipairs { { "a" }, { "a", "b" }, { "a", "b", "c" } } do
    local rows = {}
    for i = 1, 60 do rows[i] = { i = i, a = draw(9), b = draw(9), c = draw(9) } end
    rows[61] = { i = 61, a = 0 / 0, b = 0, c = 0 }
    local expected = {}
    for i = 1, 60 do
      local is_beaten = false
      for k = 1, 60 do is_beaten = is_beaten or beats(rows[k], rows[i], keys) end
      if not is_beaten then expected[#expected + 1] = i end
    end
    assert(table.concat(records(rows):pareto(keys):values "i", " ") == table.concat(expected, " "))
  end
  local many = {}
  for i = 1, 100000 do many[i] = { a = draw(1000), b = draw(1000) } end
  assert(#records(many):pareto{ "a", "b" } < 100)
end
assert(#front:pareto{ "-use" } == 1 and front:pareto{ "-use" }[1].time == 3)
local crossing = means:crossover("heft", "mine", "gbps") -- 4 + 12 / 2 = 10
near(crossing[1].gbps, 2)
assert(#crossing == 1 and crossing[1].better == "heft")
assert(means:crossover("heft", "mine", "gbps", { best = "max" })[1].better == "mine")
near(records{ { p = "a", x = 1, y = 0 }, { p = "a", x = 3, y = 4 }, { p = "b", x = 1, y = 1 },
  { p = "b", x = 3, y = 1 } }:crossover("a", "b", "x", { value = "y" })[1].x, 1.5)
local steep = records{ { p = "a", x = 1, y = 0 }, { p = "a", x = 16, y = 4 },
  { p = "b", x = 1, y = 2 }, { p = "b", x = 16, y = 2 } }
near(steep:crossover("a", "b", "x", { value = "y" })[1].x, 8.5)
near(steep:crossover("a", "b", "x", { value = "y", log = true })[1].x, 4)
assert(steep:crossover("a", "b", "x", { value = "y" })[1].better == "b")
t.fails("heft is above mine at all 2 values of k", means:filter{ gbps = 1 }
  :join(records{ { gbps = 1, k = 1 }, { gbps = 1, k = 2 } }, "gbps"):crossover("heft", "mine", "k"))
t.fails("heft is below mine at all 2 values of gbps",
  means:filter(function(r) return r.gbps > 2 end):crossover("heft", "mine", "gbps"))
t.fails("1 value of gbps in common", means:filter{ gbps = 1 }:crossover("heft", "mine", "gbps"))
t.raises("no row has 'hefft'", function() means:crossover("hefft", "mine", "gbps") end)
-- Nothing but errors is an error, the first of them.
t.raises("no plan", sweep, { policy = { "broken" }, gbps = { 4 }, seeds = 2, run = cost })
t.raises("bad 1", sweep, { n = { 1, 2, 3 }, run = function(v) error("bad " .. v.n, 0) end })
t.raises("opts.jobs: .*write it to a file and start it by goban%-cli run FILE", sweep,
  { n = { 1 }, jobs = 2, run = print })
t.raises("opts.jobs: how many processes", sweep, { n = { 1 }, jobs = 1.5, run = print })
-- A row is the same whoever has found it: numbers are as JSON has them.
local plain = sweep{ n = { 1, 2, 3 }, run = function(v)
  return v.n == 1 and 2.0 or v.n == 2 and 0 / 0 or { value = 1e300, list = {}, run = sel }
end }
assert(math.type(plain[1].value) == "integer" and plain[2].value == nil
  and plain[2].error == "value is no finite number" and plain[3].value == 1e300)
assert(plain:csv() == "n,value,error\n1,2,\n2,,value is no finite number\n3,1e+300,\n"
  or plain:csv():find "^n,error,value\n")
t.raises("opts.seeds: how many", sweep, { seed = { 1 }, seeds = 2, run = print })

-- A journal, interrupted anywhere, goes on to the same bytes, and calls nothing again.
local journal, n_calls = folder .. "/s.jsonl", 0
asked.journal = journal
local function counted(v)
  n_calls = n_calls + 1
  return cost(v)
end
asked.run = counted
assert(sweep(asked):csv() == swept:csv() and n_calls == 36)
local whole = assert(app.read(journal))
n_calls = 0 -- but for the three that failed
assert(sweep(asked):csv() == swept:csv() and n_calls == 3 and app.read(journal) == whole)
for _, n in ipairs { 0, 1, 7, 36 } do
  local kept, count = {}, 0
  for line in whole:gmatch "[^\n]*\n" do
    if count <= n then kept[#kept + 1] = line end
    count = count + 1
  end
  assert(app.write(journal, table.concat(kept)))
  n_calls = 0
  assert(sweep(asked):csv() == swept:csv() and app.read(journal) == whole)
  assert(n_calls == (n == 36 and 3 or 36 - n))
end
-- Stopped by an error behind any row, too.
for stop = 1, 36, 7 do
  app.write(journal, "")
  asked.on_row = function(_, rows) if #rows == stop then error "stopped" end end
  t.raises("stopped", sweep, asked)
  asked.on_row = nil
  assert(sweep(asked):csv() == swept:csv() and app.read(journal) == whole)
end
t.raises("it is no journal of this sweep, whose parameters are n", sweep,
  { n = { 1 }, journal = journal, run = print })

-- Rows of another function, or of one that uses other values, are refused.
local evals, open, is_broken = 3, graph.load(arg[1]), true
local function first(v)
  if is_broken and v.n == 2 then error "for now" end
  return v.n * evals + #open
end
local kept = { n = { 1, 2, 3 }, journal = folder .. "/kept.jsonl", run = first }
assert(sweep(kept)[2].error:find "for now$")
is_broken = nil -- "is_broken" is read alone, so that it is a part of it
t.raises("kept.jsonl: its rows were found with another is_broken; choose another file", sweep, kept)
is_broken, evals = true, 4
t.raises("another evals;", sweep, kept)
evals, open = 3, open:edit{ where = "op = Concat", cost = 2 }
t.raises("another open;", sweep, kept)
open = graph.load(arg[1])
assert(sweep(kept)[3].value == 9 + #open)
kept.run = function(v) return v.n * evals - #open end
t.raises("another is_broken, run;", sweep, kept)
policy.register("journalled", function(_, state) return state.devices[1] end)
kept.run = first
t.raises("another policy journalled;", sweep, kept)
kept.key, kept.journal = "of mine", folder .. "/keyed.jsonl"
sweep(kept)
is_broken = nil
assert(sweep(kept)[2].value == 6 + #open) -- errors are tried again
kept.key = "of others"
t.raises("another key;", sweep, kept)
t.raises("opts.key: a text", sweep, { n = { 1 }, key = 2, run = print })
kept.key = "of mine"

-- A last line that was torn is left out, any other is told.
local sound = assert(app.read(kept.journal))
for n = 1, 30, 4 do
  assert(app.write(kept.journal, sound:sub(1, -n - 1)))
  assert(sweep(kept)[3].value == 9 + #open and app.read(kept.journal) == sound)
end
assert(app.write(kept.journal, (sound:gsub("\n{", "\nx{", 1))))
t.raises("keyed.jsonl:2: .*remove the line", sweep, kept)

-- --- texts ---------------------------------------------------------------------------------------

assert(made:csv():find "^policy,graph,seed,makespan_s,valid\nheft,a,1,0.002,true\n"
  and made:csv():find "metis,c,1,,false\n$")
assert(made:csv{ columns = { "makespan" } }:find "^makespan_s\n0.002\n")
local again = assert(records.parse(made:csv()))
assert(again[4].makespan_s == 4e-3 and again[4].valid == false and again[6].makespan_s == nil
  and again:columns()[4].unit == "s" and again:csv() == made:csv())
local odd = records{ { a = 'x "y"', b = "1,2" }, { a = "two\nlines" } }
assert(odd:csv() == 'a,b\n"x ""y""","1,2"\n"two\nlines",\n')
assert(records.parse(odd:csv()):csv() == odd:csv())
assert(records.parse "a\r\n1\r\n"[1].a == 1 and records.parse "x\n1\nzwei\n"[1].x == "1")
t.fails("line 2: 1 cells, and 2 names", records.parse "a,b\n1\n")
t.fails("a quote is not closed", records.parse 'a\n"b')
t.fails("a comma is missing behind a quote", records.parse 'a\n"b"c\n')
assert(#records.parse "" == 0)
local parsed = assert(json.parse(made:json()))
assert(#parsed == 6 and parsed[1].makespan_s == 2e-3 and parsed[6].makespan_s == nil
  and parsed[4].valid == false)
assert(made:json():find('[{"policy": "heft", "graph": "a", "seed": 1, "makespan_s": 0.002', 1,
  true))

assert(summary:text{ columns = { "policy", "mean", "ci95" }, error = "ci95" }:find
  "^policy%s+mean %[ms%]\n[^\n]+\nheft%s+2.667 ± 5.171\nmetis%s+3.500 ± ", summary:text())
assert(made:markdown{ columns = { "policy", "makespan" } } == [[
| policy | makespan [ms] |
| ------ | ------------: |
| heft   |         2.000 |
| metis  |         3.000 |
| heft   |         5.000 |
| metis  |         4.000 |
| heft   |         1.000 |
| metis  |             – |
]], made:markdown{ columns = { "policy", "makespan" } })
-- An error has two digits, and its mean as many decimals.
local errors = records({ { p = "a", mean = 2.0802e-3, ci95 = 7.57e-6 },
  { p = "b", mean = 11.823e-3, ci95 = 3.36e-4 }, { p = "c", mean = 1e-3, ci95 = 0 } },
  { columns = { "p", "mean", "ci95" }, units = { mean = "s", ci95 = "s" } })
for _, cell in ipairs { "2.0802 $\\pm$ 0.0076", " 11.82 $\\pm$ 0.34", " 1.00 $\\pm$ 0 " } do
  assert(errors:latex{ error = "ci95" }:find(cell, 1, true), errors:latex{ error = "ci95" })
end
-- A number that is not 0 is never written as 0; interval, mean and median have one unit.
local wild = records{ { v = 1e-9, w = 12345678.5 }, { v = 1, w = 0.001 } }
assert(wild:latex():find "1e%-09 & 12345678 \\\\\n1%.000 &    0%.001", wild:latex())
local exact = records{ { p = "a", makespan = 2e-3 }, { p = "a", makespan = 2e-3 } }
  :summary{ by = "p", value = "makespan" }
assert(exact:text():find "^p%s+n%s+mean %[ms%]%s+spread %[ms%]%s+ci95 %[ms%]%s+median %[ms%]",
  exact:text())
assert(exact:sort "mean":text() == exact:text())
local tex = records{ { ["a_b"] = "50 % & more", n = 3 } }:latex()
assert(tex == "\\begin{tabular}{lr}\na\\_b          & n \\\\\n\\hline\n50 \\% \\& more & 3 \\\\\n"
  .. "\\end{tabular}\n", tex)

-- --- plots ---------------------------------------------------------------------------------------

local bars = assert(plot(means, { error = "ci95" }))
assert(bars.kind == "lines" and bars.points == 8
  and bars:csv():find "^series,gbps,mean makespan %(s%),error,label")
assert(plot(means):csv() == bars:csv()) -- what a summary is for
assert(plot(means, { x = "gbps", y = "mean", by = "policy" }):csv():find "mean makespan %(s%)")
local raw = assert(plot(swept, { x = "gbps", y = "makespan", by = "policy", error = "ci95" }))
assert(raw:csv():find "heft,1,16.002,0.0024841", raw:csv())
local facets = assert(plot(swept, { x = "gbps", y = "makespan", facet = "policy",
  reduce = "mean" }))
assert(#facets == 3 and facets[1].title == "heft" and facets[2].points == 4)
assert(tostring(facets):find "“heft” of makespan over gbps.*\n.*“mine”")
assert(plot.bars(summary, { x = "policy", y = "mean", error = "ci95" })
  :save(folder .. "/bars.svg", { theme = "light" }))
assert(raw:save(folder .. "/lines.svg"))
t.fails("'no' is no column of the rows, and neither ci95", plot(swept, { x = "gbps", y = "gap",
  error = "no" }))
t.fails("a plot of kind scatter has none", plot.scatter(swept, { x = "gbps", y = "gap",
  error = "ci95" }))
t.fails("no row has a value of 'no'", plot(swept, { facet = "no" }))

-- --- benches -------------------------------------------------------------------------------------

local b = assert(bench.run{ suite = "quick", graphs = "rnnlm", policies = { "heft", "single" } })
local cells = b:table()
assert(#cells == 3 * #b and cells[1].makespan > 0 and cells[1].graph and cells[1].policy)
assert(#cells:compare{ between = "policy", value = "makespan", to = "expert" } == 2)

-- Chances that are very small have few digits.
assert(records{ { p = 5.96e-8 }, { p = 1e-9 } }:text():find "6.0e%-08\n1.0e%-09$")

-- A Table prints as it shows; what is missing is said at the caller's line.
assert(tostring(records{ { a = 1, b = "x" } }) == "a  b\n1  x" and tostring(records{}) == "no rows")
t.raises("tables.lua:%d+: t:choose: the name of a column expected; there are: a",
  function() records{ { a = 1 } }:choose() end)
t.raises("tables.lua:%d+: t:compare: the name of a column expected",
  function() records{ { a = 1 } }:compare{} end)
t.raises("tables.lua:%d+: records: column 'a' has values", function()
  records{ { a = 1 }, { a = "x" } }
end)
t.raises("tables.lua:%d+: names%[1%]: string expected", function() compare.policies(g, { 1 }) end)
