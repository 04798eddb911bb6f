-- lab.lua: small cases of scripts that were wrong or silent once, which no other test has.
local t = dofile "support.lua"
local folder, root = arg[2], arg[1]:match "^(.*)/samples/"
local g = graph.generate "inception-v3"

-- A condition with a unit, and lists of words, in tables as in texts.
assert(#g:where{ cost = "> 10us" } == #g:where "cost > 10us" and #g:where{ cost = "> 10us" } > 0)
assert(#g:where{ op = { "Conv2D", "Relu" } } == #g:where "op = Conv2D or op = Relu")
t.raises("“10 parsecs” is not a number", g.where, g, { cost = "> 10 parsecs" })
t.raises("a node has no field “cots”.*did you mean cost", g.where, g, { cots = 3 })

-- A network that comes with the program opens by its path, wherever that is.
local shipped = assert(policy.load(root .. "/data/policies/builder.net"))
assert(shipped.file:find "builder.net$")

-- What a training cannot use it refuses at once, and what it can is told.
t.fails("is no more; use “go%-one”", policy.trainer{ policy = "go" })
t.fails("“foo=1” is not a setting; .*lessons", policy.trainer{ settings = "foo=1",
  output = folder .. "/x.net" })
t.fails("“foo=1” is not a setting; .*labels", job.train{ policy = "moves", settings = "foo=1",
  output = folder .. "/x.net" })
local settings = policy.settings()
assert(#settings == 24 and settings:filter{ setting = "rollouts" }[1].default > 1)
for _, row in ipairs(settings) do assert(#row.meaning > 5 and row.default ~= nil, row.setting) end
assert(#policy.settings "moves" == 13)
t.fails("the training of 'heft' has no settings", policy.settings "heft")
-- Without being asked it leaves neither files of networks on the way nor folders.
local small = "lessons=2,problems=1,rollouts=2,imitations=1,labels=3,validation=1"
local trainer = assert(policy.trainer{ settings = small, output = folder .. "/y.net" })
assert(trainer:update())
assert(trainer:save() == folder .. "/y.net" and app.read(folder .. "/y.net.film/1.net") == nil)
t.fails("y.net.film", app.read(folder .. "/y.net.film"))
trainer:close()

-- Units that are printed are read; elements of an Array may be places, as in Lua's tables.
assert(cluster.new{ devices = { gpu = 2 }, link = "1GB/s" }:link("gpu:0", "gpu:1").bandwidth == 1e9)
local a = array{ 5, 7 }
assert(a[2.0] == 7 and a[a[1] - 3] == 7)

-- A mistake in a prelude's function is told at the script's line.
local ok, why = pcall(function() sim.run(3) end)
assert(not ok and why:find "lab.lua:%d+: bad argument #1 to 'run' %(Graph expected")

-- Whatever is written is told by its path.
local run = sim.run(plan.heft(g, 0, "p100x2"))
for name, path in pairs{
  graph = g:save(folder .. "/graph"), plan = run.plan:save(folder .. "/plan"),
  cluster = run.cluster and run.cluster:save(folder .. "/cluster"),
  text = app.write(folder .. "/text", "1"), trace = run:trace(folder .. "/trace"),
  plot = plot{ 1, 2 }:save(folder .. "/plot.svg"), array = a:save(folder .. "/array.npy"),
  page = run:share(folder .. "/page.html"),
} do
  assert(path:find("^" .. folder:gsub("%p", "%%%0") .. "/" .. name), name)
end
