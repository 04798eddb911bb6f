-- clusters.lua: clusters like a preset, but with any number of devices and other links.
local clusters = {}

-- So many of the first device of a preset, all pairs linked as its first two are, times a factor of
-- bandwidth.
function clusters.like(preset, n, factor)
  local c = cluster.preset(preset)
  local device, link = c.devices[1], c:link(c.devices[1].name, c.devices[2].name)
  local devices = {}
  for i = 1, n do
    devices[i] = ('{"name": "gpu:%d", "kind": "gpu", "flops_per_s": %.17g, '
      .. '"memory_bandwidth": %.17g, '
      .. '"memory": %.0f, "launch": %.17g}')
      :format(i - 1, device.flops, device.bandwidth, device.memory, device.launch * 1e6)
  end
  local name = ("%d of %s, %gx bandwidth"):format(n, preset, factor)
  return assert(cluster.parse(('{"name": "%s", "devices": [%s], '
    .. '"all_pairs": {"bandwidth": %.17g, "latency": %.17g}}')
    :format(name, table.concat(devices, ", "), link.bandwidth * factor, link.latency * 1e6)))
end

return clusters
