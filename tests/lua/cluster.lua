local t = dofile "support.lua"
local folder = arg[2]

local c = assert(cluster.preset "p100x2")
assert(c.name == "p100x2" and #c.devices == 2 and tostring(c) == "Cluster p100x2: 2 devices")
local d = c.devices[1]
assert(d.name == "gpu:0" and d.kind == "gpu" and d.memory > 1e9 and d.flops > 1e12)
assert(d.bandwidth > 1e11 and d.launch >= 0)
assert(cluster.presets().p100x4 and #cluster.preset "equal:3".devices == 3)
assert(cluster.preset "equal:3".devices[1].memory == math.huge)
t.fails("p100x4", cluster.preset "p1000")
t.fails("no such file", cluster.load "nowhere.json")

-- Numbers can be set, and copies keep theirs.
local before = c:copy()
d.memory = "8GB"
d.launch = "7us"
assert(c.devices[1].memory == 8e9 and math.abs(d.launch - 7e-6) < 1e-15)
assert(before.devices[1].memory > 8e9)
t.raises("", function() d.memory = -1 end)
t.raises("", function() d.memory = "plenty" end)
t.raises("the field 'name' of a Device cannot be set", function() d.name = "x" end)

local link = c:link("gpu:0", "gpu:1")
link.bandwidth = 50e9
link.latency = "3us"
assert(math.abs(link.bandwidth - 50e9) < 1 and math.abs(link.latency - 3e-6) < 1e-12)
assert(math.abs(c:link("gpu:1", "gpu:0").bandwidth - 50e9) < 1 and link.hops >= 1)
assert(before:link("gpu:0", "gpu:1").bandwidth ~= link.bandwidth)
-- A link that is so slow that tensors go another way is the same link still.
local four = cluster.preset "p100x4"
local slow = four:link("gpu:0", "gpu:1")
slow.bandwidth = 1e6
assert(math.abs(slow.bandwidth - 1e6) < 1e-3 and slow.hops == 1)
slow.bandwidth = 12e9
assert(math.abs(four:link("gpu:0", "gpu:2").bandwidth - slow.bandwidth) < 1)
t.raises("it is the same device", c.link, c, "gpu:0", "gpu:0")
t.raises("there is no device 'tpu:0'; there are: gpu:0 gpu:1", c.link, c, "gpu:0", "tpu:0")

-- A device outlives the name of its cluster.
local lone = cluster.preset "p100x2".devices[2]
collectgarbage()
collectgarbage()
assert(lone.name == "gpu:1")

-- Files.
assert(c:save(folder .. "/lab.json"))
local again = assert(cluster.load(folder .. "/lab.json"))
assert(again.devices[1].memory == 8e9)

-- What it is for: a faster link is never a longer transfer.
local g = assert(graph.load(arg[1]))
local p = plan.new(g, c):move(g:where "name ~ 'image/'", "gpu:1")
local before_it = sim.run(g, p, before).makespan
c:link("gpu:0", "gpu:1").bandwidth = 1e15
assert(sim.run(g, p, c).makespan <= before_it)

-- A cluster of a table: the same as of a file, with the units that are printed.
local made = cluster.new{ devices = { cpu = 1, gpu = 4 }, link = "12GB/s" }
assert(#made.devices == 5 and made.devices[1].name == "gpu:0" and made.devices[5].kind == "cpu")
local preset = cluster.preset "cpu+gpu"
assert(made.devices[1].memory == preset.devices[1].memory)
assert(made.devices[5].flops == preset.devices[2].flops)
assert(made:link("gpu:0", "cpu:0").bandwidth == preset:link("gpu:0", "cpu:0").bandwidth)
assert(made:link("gpu:0", "gpu:3").latency == preset:link("gpu:0", "cpu:0").latency)
local own = cluster.new{
  name = "mine", contention_free = true, link = { bandwidth = 1e9, latency = 2e-6 },
  devices = { { name = "big", kind = "gpu", count = 2, tflops = 60, memory = "80 GiB",
                launch = 1e-6 },
              { name = "slow", kind = "cpu" } },
}
assert(own.name == "mine" and own.contention_free and #own.devices == 3)
assert(own.devices[2].name == "big:1" and own.devices[2].flops == 60e12)
assert(own.devices[2].memory == 80 * 2 ^ 30 and math.abs(own.devices[2].launch - 1e-6) < 1e-15)
assert(math.abs(own:link("big:0", "slow:0").latency - 2e-6) < 1e-15)
t.raises("tflop", cluster.new, { devices = { gpu = { tflop = 1 } } })
t.raises("devices.tpu: say its tflops", cluster.new, { devices = { tpu = {} } })
t.raises("GB/x", cluster.new, { devices = { gpu = 2 }, link = "3 GB/x" })
t.raises("devices", cluster.new, {})

-- Peaks by type of number, and the shares of them that are reached.
local modern = cluster.preset "a100x8*2,nic=100GB/s,shared,compute=0.5"
local a100 = modern.devices[16]
assert(a100.flops == 19.5e12 and a100.f16_flops == 312e12 and a100.f8_flops == a100.f16_flops)
assert(a100.compute_efficiency == 0.5 and a100.bus_efficiency == 0.77)
a100.memory_efficiency, a100.f8_flops = 0.25, 600e12
assert(a100.memory_efficiency == 0.25 and a100.f8_flops == 600e12 and a100.f16_flops == 312e12)
t.raises("from 0.0001 to 100", function() a100.bus_efficiency = 0 end)
local half = cluster.new{ devices = { gpu = { count = 2, peaks = { f16 = "100 TFLOP/s" },
  bus_efficiency = 0.5 } } }
assert(half.devices[2].f16_flops == 100e12 and half.devices[2].bus_efficiency == 0.5)
t.raises("f17", cluster.new, { devices = { gpu = { peaks = { f17 = 1 } } } })

-- Every link is scaled once, though ways share them, and every peak, though unset ones follow.
local two = cluster.preset "h100x8*2"
local far, h100 = two:link("gpu:0", "gpu:8"), two.devices[1]
local way, peaks = far.bandwidth, { h100.flops, h100.tf32_flops, h100.f16_flops, h100.f8_flops }
local narrow, memory = two:link("gpu:0", "gpu:1").bandwidth, h100.bandwidth
assert(two:scale{ links = 2, speed = 1.5 } == two)
assert(far.bandwidth == 2 * way and two:link("gpu:0", "gpu:1").bandwidth == 2 * narrow)
for i, name in ipairs{ "flops", "tf32_flops", "f16_flops", "f8_flops" } do
  assert(math.abs(h100[name] / peaks[i] - 1.5) < 1e-12, name)
end
assert(two.devices[16].bandwidth == 1.5 * memory)
local plain = cluster.new{ devices = { gpu = 2 } }:scale{ speed = 2 }.devices[1]
assert(plain.f16_flops == plain.flops)
t.raises("speed", two.scale, two, { speeds = 2 })
t.raises("from 0.001 B/s", two.scale, two, { links = 0 })

-- Calibration: ops of half the peak, and of a quarter of the bandwidth.
local lines = {}
for i = 1, 9 do
  lines[i] = ('{"name": "c%d", "flops": %.0f, "times": {"gpu": %d}}'):format(i, i * 9.3e6 / 2, i)
  lines[i + 9] = ('{"name": "m%d", "read_bytes": %d, "times": {"gpu": %d}}')
    :format(i, i * 732e3 // 4, i)
end
assert(app.write(folder .. "/timed.json", '{"goban": "graph", "version": 1, "name": "timed", '
  .. '"kinds": ["gpu"], "nodes": [' .. table.concat(lines, ",") .. "]}"))
local timed = assert(graph.load(folder .. "/timed.json"))
local lab, fit = assert(cluster.calibrate(timed, "p100x4"))
assert(fit.ops == 18 and fit.kind == "gpu")
assert(fit.mean_error < 0.001 and fit.data_sheet_error > 0.4)
assert(math.abs(lab.devices[4].compute_efficiency - 0.5) < 0.001)
assert(math.abs(lab.devices[4].memory_efficiency - 0.25) < 0.001)
t.fails("no device of the kind", cluster.calibrate(timed, "p100x4", "tpu"))

-- Iterations that the simulator has made with two shares lead back to them.
local rows = {}
for i = 1, 4 do
  local g = graph.generate(("gpt:layers=%d,width=2048,heads=16,batch=4"):format(2 + 2 * i))
  local r = g:parallel{ batch = 64, cluster = "a100x8,compute=0.8,memory=0.6" }
  rows[i] = { model = g.name, batch = 64, seconds = ("%.12g"):format(r.makespan) }
end
local it = assert(cluster.iterations(records(rows):csv(), "a100x8"))
local fitted, found = assert(it:calibrate())
assert(found.iterations == 4 and found.mean_error < 0.01 and found.data_sheet_error > 0.1)
assert(math.abs(fitted.devices[8].compute_efficiency - 0.8) < 0.03)
assert(math.abs(it:predict(2, 0.8, 0.6) / it:rows()[2].measured - 1) < 1e-9)
assert(select(2, it:calibrate{ 1, 2, 3 }).iterations == 3)
t.fails("at least 3 are needed", it:calibrate{ 1, 2 })
t.raises("there is no such row", it.predict, it, 5, 1, 1)
