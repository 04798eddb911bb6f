-- paths.lua: where scripts may write, and read as text. arg[1] is a folder that was chosen, arg[2]
-- is one that was not.
local t = dofile "support.lua"
local chosen, other = arg[1], arg[2]
local refused = "a script may use"

assert(app.write(chosen .. "/a.txt", "a") and app.read(chosen .. "/a.txt") == "a")
assert(app.mkdir(chosen .. "/new/folder") and app.write(chosen .. "/new/folder/b.txt", "b"))

local g = graph.generate "rnnlm:layers=1"
local p = plan.single(g)
local r = sim.run(p)
local heft = sim.run(plan.heft(g))
local trainer = assert(policy.trainer{ output = chosen .. "/t.net", steps = 1 })
local function refuses_all(folder)
  t.fails(refused, app.write(folder .. "/x.txt", "x"))
  t.fails(refused, app.write(folder .. "/x.csv", "x\n"))
  t.fails(refused, app.read(folder .. "/secret.txt"))
  t.fails(refused, app.mkdir(folder .. "/x"))
  t.fails(refused, app.save_script(folder .. "/x.lua"))
  t.fails(refused, app.save_session(folder .. "/x.goban"))
  t.fails(refused, g:save(folder .. "/x.dot"))
  t.fails(refused, p:save(folder .. "/x.json"))
  t.fails(refused, p:apply{ target = "openvino", path = folder .. "/x.py" })
  t.fails(refused, p:apply{ target = "ort", model = folder .. "/x", path = chosen .. "/x.onnx" })
  t.fails(refused, p.cluster:save(folder .. "/x.json"))
  t.fails(refused, r:trace(folder .. "/x.json"))
  t.fails(refused, heft.decisions:save(folder .. "/x.csv"))
  t.fails(refused, heft.decisions:save(folder .. "/x.json"))
  t.fails(refused, array.zeros(2):save(folder .. "/x.npy"))
  t.fails(refused, array.save(folder .. "/x.npz", { a = array.zeros(1) }))
  t.fails(refused, g:arrays{ nodes = { "cost" } }:save(folder .. "/x.npz"))
  t.fails(refused, plot{ 1, 2 }:save(folder .. "/x.svg"))
  t.fails(refused, show(r):save(folder .. "/x.svg"))
  t.fails(refused, r:share(folder .. "/x.html"))
  t.fails(refused, view.share(folder .. "/x.html"))
  t.fails(refused, r:film(folder .. "/x.apng"))
  t.fails(refused, compare(r, r):report(folder .. "/x.txt"))
  t.fails(refused, compare(r, r):report(folder .. "/x.html"))
  t.fails(refused, view.save(folder .. "/x.svg", { graph = g }))
  t.raises(refused, bench.new, { suite = "quick", journal = folder .. "/x.jsonl" })
  t.raises(refused, sweep, { n = { 1 }, journal = folder .. "/x.jsonl", run = function() end })
  t.raises(refused, measure.run,
    { model = "x.onnx", policies = { "heft" }, folder = folder .. "/x" })
  t.raises(refused, policy.trainer, { output = folder .. "/x.net" })
  t.raises(refused, trainer.save, trainer, folder .. "/x.net")
  t.raises(refused, job.train, { resume = folder .. "/x.net" })
  t.raises(refused, job.train, { output = folder .. "/x.net" })
  t.raises(refused, job.train, { output = chosen .. "/x.net", curve = folder .. "/x.csv" })
end

refuses_all(other)
refuses_all(chosen .. "/../" .. other:match "[^/]+$")
refuses_all(chosen .. "/nowhere/../../" .. other:match "[^/]+$")
refuses_all(chosen .. "/link")         -- to the other folder
refuses_all("/proc/self/cwd/../../../../../../../../.." .. other)
t.fails(refused, app.read "/proc/self/environ")
t.fails(refused, app.read "/dev/zero")
t.fails(refused, app.read(chosen .. "/secret-link"))
t.fails(refused, app.write(chosen .. "/nowhere-link", "x"))
t.fails(refused, app.write(chosen .. "-beside.txt", "x"))

-- Opening what lies elsewhere does not make that folder the script's.
assert(app.open(other .. "/toy.dot"))
refuses_all(other)

-- Only what is a file, for anything else may keep one waiting for ever.
t.fails("is not a regular file", app.read(chosen .. "/pipe"))
t.fails("is neither a file nor a folder", app.write(chosen .. "/pipe", "x"))
t.fails("is larger than the 256 MB", app.read(chosen .. "/large"))
