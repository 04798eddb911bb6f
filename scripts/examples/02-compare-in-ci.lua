-- A comparison for continuous integration: writes a CSV file, and fails where the policy of your
-- choice is more than 2 % slower than the one you measure it by.
--
--   goban-cli run scripts/examples/02-compare-in-ci.lua [GRAPH [FOLDER [POLICY [BASE]]]]
--
-- The exit code is 0 or 1, which is all a build server wants to know.

local path = arg[1] or app.sample "toy.dot"
local folder = arg[2] or "goban-out"
assert(app.mkdir(folder))
local name, base = arg[3] or "heft", arg[4] or "single"

local g = assert(graph.load(path))
local rows = assert(compare.policies(g, { base, name }, { seed = 1 }))
assert(app.write(folder .. "/compare.csv", rows:csv()))

local first, second = rows[1].run, rows[2].run
if not (first and second) then error(rows[1].error or rows[2].error, 0) end
local is_worse = compare(first, second):worse(2)
print(("%s: %s %.3f ms, %s %.3f ms: %s"):format(path, base, first.makespan * 1e3, name,
  second.makespan * 1e3, is_worse and "worse" or "fine"))
if is_worse then os.exit(1) end
