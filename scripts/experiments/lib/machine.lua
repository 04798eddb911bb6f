-- machine.lua: what this machine is called, for those who repeat what is measured in seconds.
local machine = {}

-- "2 processors, Some Name", as far as the system tells.
function machine.describe()
  local text = app.read "/proc/cpuinfo" or ""
  local _, n = text:gsub("processor%s*:", "")
  local name = text:match "model name%s*:%s*([^\n]+)"
  if n == 0 then return "a machine that does not tell its processor" end
  return ("%d processor%s%s"):format(n, n == 1 and "" or "s", name and ", " .. name or "")
end

return machine
