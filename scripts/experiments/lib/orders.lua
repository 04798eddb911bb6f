-- orders.lua: by which rule the devices of a policy's plan take their ready ops, in words for below
-- a table.
local orders = {}

-- First in, first out, as TensorFlow has it. The plans of all others bring priorities: upward ranks
-- where GO and Post place alone, a list scheduler's or a search's own.
local FIFO = {
  single = true, ["tf-default"] = true, expert = true, metis = true, ["metis-mem"] = true,
  ["m-topo"] = true, pipeline = true,
  hdp = true, placeto = true, random = true, ["round-robin"] = true,
}

function orders.is_fifo(name)
  return FIFO[name] == true
end

-- "Order of ops: first in, first out: expert; by their plans' priorities: go, heft". is_fifo(name)
-- tells of names that are no policies'; left out, it is orders.is_fifo.
function orders.line(names, is_fifo)
  local fifo, priorities = {}, {}
  for _, name in ipairs(names) do
    local list = (is_fifo or orders.is_fifo)(name) and fifo or priorities
    list[#list + 1] = name
  end
  local parts = {}
  if #fifo > 0 then parts[1] = "first in, first out: " .. table.concat(fifo, ", ") end
  if #priorities > 0 then
    parts[#parts + 1] = "by their plans' priorities: " .. table.concat(priorities, ", ")
  end
  return "Order of ops: " .. table.concat(parts, "; ")
end

return orders
