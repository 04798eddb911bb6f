local t = dofile "support.lua"
local folder = arg[2]

assert(app.version:find "^%d+%.%d+")
assert(app.open(arg[1]) == g and #g == 12)
t.fails("no such file", app.open "nowhere.dot")

-- The cluster of the session; runs follow it.
view.show(sim.run(plan.single(g, "gpu:0")))
assert(app.cluster().name == "p100x4")
local c = app.cluster()
c:link("gpu:0", "gpu:1").bandwidth = 1e9
assert(app.cluster(c).name == "p100x4"
  and math.abs(r.cluster:link("gpu:0", "gpu:1").bandwidth - 1e9) < 1)
-- A plan goes on if the devices that it uses are there, else it is left out.
assert(app.cluster "p100x2".name == "p100x2" and r and #r.cluster.devices == 2)
view.show(sim.run(plan.single(g, "gpu:1")))
assert(app.cluster "equal:1".name == "equal:1" and r and r.plan:device "fuse" == "gpu:0")
app.undo()
assert(r.plan:device "fuse" == "gpu:1" and app.cluster "p100x2".name == "p100x2")
assert(#plan.heft(g).cluster.devices == 2)

-- Files.
assert(app.write(folder .. "/note.txt", "a\0b"))
t.fails("is not a text", app.read(folder .. "/note.txt"))
assert(app.write(folder .. "/text.txt", "ä\r\n") and app.read(folder .. "/text.txt") == "ä\r\n")
assert(app.write(folder .. "/text.txt", "") and app.read(folder .. "/text.txt") == "")
t.fails("no such file", app.read(folder .. "/nowhere.txt"))
assert(app.mkdir(folder) and app.mkdir(folder .. "/."))
t.fails("cannot be made", app.mkdir(folder .. "/note.txt/below"))
t.fails("", app.write(folder .. "/nowhere/note.txt", ""))
