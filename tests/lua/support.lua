-- support.lua: what the scripts of this folder share.
local function raises(pattern, f, ...)
  local ok, message = pcall(f, ...)
  if ok then error("no error, but one like '" .. pattern .. "' expected", 2) end
  if not tostring(message):find(pattern) then
    error("the error '" .. tostring(message) .. "' is not like '" .. pattern .. "'", 2)
  end
end

local function fails(pattern, value, message)
  if value ~= nil then error("nil expected, got " .. tostring(value), 2) end
  if not tostring(message):find(pattern) then
    error("the message '" .. tostring(message) .. "' is not like '" .. pattern .. "'", 2)
  end
end

-- Protobuf: a field of bytes, and one of a small number.
local function bytes(tag, text)
  assert(#text < 128)
  return string.char(tag << 3 | 2, #text) .. text
end
local function number(tag, value) return string.char(tag << 3, value) end
local function node(op, name, output, ...)
  local text = ""
  for _, input in ipairs { ... } do text = text .. bytes(1, input) end
  return text .. bytes(2, output) .. bytes(3, name) .. bytes(4, op)
end

-- Writes small.onnx: x, 2 floats, through two nodes side by side and one that joins them.
local function small_model(folder)
  local shape = bytes(1, number(1, 2))
  local input = bytes(1, "x") .. bytes(2, bytes(1, number(1, 1) .. bytes(2, shape)))
  local graph_text = { bytes(11, input), bytes(12, bytes(1, "c")) }
  for _, n in ipairs { node("Relu", "left", "a", "x"), node("Neg", "right", "b", "x"),
                       node("Add", "join", "c", "a", "b") } do
    table.insert(graph_text, bytes(1, n))
  end
  local graph_bytes = table.concat(graph_text)
  local path = folder .. "/small.onnx"
  assert(app.write(path, number(1, 8) .. string.char(7 << 3 | 2, #graph_bytes % 128 | 128,
    #graph_bytes // 128) .. graph_bytes .. bytes(8, bytes(1, "") .. number(2, 13))))
  return path
end

return { raises = raises, fails = fails, small_model = small_model }
