-- clusters.lua: cluster.new{...}, and plans of lists: plan.from().
local core = ...
local ipairs, pairs, type, error, tostring = ipairs, pairs, type, error, tostring

-- Figures of devices by kind and of a link that are not said: those of a preset with both kinds.
local function usual_figures()
  local preset, kinds = cluster.preset "cpu+gpu", {}
  for _, device in ipairs(preset.devices) do
    kinds[device.kind] = {
      flops_per_s = device.flops, memory_bandwidth = device.bandwidth, memory = device.memory,
      launch = device.launch,
    }
  end
  local link = preset:link(preset.devices[1].name, preset.devices[2].name)
  return kinds, { bandwidth = link.bandwidth, latency = link.latency }
end

-- Times are seconds in Lua, and microseconds in the file.
local function file_time(time)
  return type(time) == "number" and time * 1e6 or time
end

-- A device of the file, from a number of devices of a kind, or figures with a count.
local function device_of(name, said, usual)
  if type(said) == "number" then said = { count = said } end
  core.expect(said, "table", 1, "cluster.new", "devices: a number or figures of each")
  local kind = said.kind or name
  if not usual[kind] and not (said.tflops or said.flops_per_s) then
    error(("cluster.new: devices.%s: say its tflops, memory_bandwidth and memory; only gpu and cpu "
      .. "have usual ones"):format(tostring(name)), 4)
  end
  local device = { name = name, kind = kind, count = 1 }
  for key, value in pairs(usual[kind] or {}) do device[key] = value end
  if said.tflops then device.flops_per_s = nil end
  for key, value in pairs(said) do device[key] = value end
  device.launch = file_time(device.launch)
  return device
end

-- In the order of a list; of names, those of processors last, as in the presets.
local function devices_of(said, usual)
  local devices, names = {}, {}
  for i, device in ipairs(said) do devices[i] = device_of(device.name, device, usual) end
  for name in pairs(said) do
    if type(name) == "string" then names[#names + 1] = name end
  end
  table.sort(names, function(a, b)
    if (a == "cpu") ~= (b == "cpu") then return b == "cpu" end
    return a < b
  end)
  for _, name in ipairs(names) do devices[#devices + 1] = device_of(name, said[name], usual) end
  return devices
end

-- The usual link, changed by what is said.
local function link_of(said, link)
  if type(said) ~= "table" then said = { bandwidth = said } end
  for key, value in pairs(said) do link[key] = value end
  link.latency = file_time(link.latency)
  return link
end

core.doc("cluster.new", "(opts)",
  "A cluster; opts: devices (numbers or figures by name: gpu = 4 or gpu = { count = 4, tflops = 9, "
    .. "memory = \"80 GiB\", memory_bandwidth = \"2 TB/s\", launch = \"5us\", kind = \"gpu\", "
    .. "peaks = { tf32 =, f16 = \"312 TFLOP/s\", f8 =, i8 = }, compute_efficiency = 0.83, "
    .. "memory_efficiency =, bus_efficiency = }, or a list of such with names), link between every "
    .. "two (a bandwidth, or { bandwidth =, latency = }), name, contention_free, and the links and "
    .. "switches of the file. Devices without figures are P100s and Broadwell CPUs; a link has "
    .. "12 GB/s and 5 us.",
  'c = cluster.new{ devices = { gpu = 4, cpu = 1 }, link = "12GB/s" }')
function cluster.new(said, ...)
  core.check("cluster.new", ...)
  core.expect(said, "table", 1, "cluster.new")
  core.expect(said.devices, "table", 1, "cluster.new", "devices")
  local file, usual, usual_link = {}, usual_figures()
  for key, value in pairs(said) do file[key] = value end
  file.link = nil
  file.devices = devices_of(said.devices, usual)
  if said.link or not said.links then file.all_pairs = link_of(said.link, usual_link) end
  local made, why = cluster.parse(json(file))
  if not made then error(why, 2) end
  return made
end

-- --- plans of lists ------------------------------------------------------------------------------

local from = plan.from

local function list_of(values)
  return core.type(values) == "Array" and values:list() or values
end

core.doc("plan.from", "(g, cluster, devices, opts)",
  "A plan from a list with a device of each node, in the order of g:rows(): names, or numbers from "
    .. "1; also an Array. opts: priorities (the largest first), kernels (nodes of one number are "
    .. "one; below 0: alone).",
  'p = plan.from(g, c, array.zeros(#g:rows()) + 1)')
function plan.from(g, c, devices, opts, ...)
  core.check("plan.from", ...)
  opts = opts or {}
  core.expect(opts, "table", 4, "from", "table of options")
  for key in pairs(opts) do
    if key ~= "priorities" and key ~= "kernels" then
      error(("opts.%s is unknown; known are kernels, priorities"):format(tostring(key)), 2)
    end
  end
  return from(g, c, list_of(devices), list_of(opts.priorities), list_of(opts.kernels))
end
