-- support.lua: what the scripts of this folder share. Returns raises, project.
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

return { raises = raises, fails = fails }
