-- help.lua: every function, method, field and module has its help.
local missing = {}
local function check(key)
  if not documented(key) then missing[#missing + 1] = key end
end

for _, module in ipairs { "app", "bench", "cluster", "compare", "graph", "job", "measure", "plan",
  "plot", "policy", "sim", "ui", "view" } do
  check(module)
  for name in pairs(_G[module]) do check(module .. "." .. name) end
end
for name, parts in pairs(types()) do
  for method in pairs(parts.methods) do check(name .. "." .. method) end
  for field in pairs(parts.fields) do check(name .. "." .. field) end
end
for _, name in ipairs { "apropos", "describe", "help", "out", "pp", "show", "sweep", "time" } do
  check(name)
end
table.sort(missing)
assert(#missing == 0, "no help on " .. table.concat(missing, ", "))

-- And help speaks of nothing that is not there.
local extra = {}
for _, key in ipairs(documented()) do
  local owner, name = key:match "^(.-)%.(.+)$"
  local parts = owner and types()[owner]
  if parts and not (parts.methods[name] or parts.fields[name]) then extra[#extra + 1] = key end
  if owner and not parts and _G[owner][name] == nil then extra[#extra + 1] = key end
end
assert(#extra == 0, "help on what is not there: " .. table.concat(extra, ", "))
