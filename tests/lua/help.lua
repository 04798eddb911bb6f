-- help.lua: whatever a script can reach has help, and help speaks of nothing else.
--
-- Reached are the globals, the members of tables among them and of what their metatables look into,
-- and the methods and fields of all types. help_at(name) is the text that the console shows.
app.open(arg[1])
view.show(sim.run(plan.heft(g)))
_ = 1

local documented = {}
for _, row in ipairs(app.reference()) do
  documented[row.name] = row
  assert(row.signature ~= "" and row.sentence:find "[.?]$", row.name .. ": a sentence is missing")
end

-- Methods by the names that help itself writes, whatever the variables are.
t = 5
assert(help_at "t:compare":find "^t:compare{between=" and help_at "g:arrays":find "^g:arrays")
t = nil

local own = { _ = true, arg = true, help_at = true, types = true } -- this test's, or a variable
local reached, missing = {}, {}

local function reach(key)
  reached[key] = true
  if not documented[key] and not own[key] and not help_at(key):find "is part of Lua" then
    missing[#missing + 1] = key
  end
end

local function walk(prefix, t, seen)
  if seen[t] then return end
  seen[t] = true
  for name, value in pairs(t) do
    if type(name) == "string" then
      reach(prefix .. name)
      if type(value) == "table" then walk(prefix .. name .. ".", value, seen) end
    end
  end
  local meta = getmetatable(t)
  if type(meta) == "table" and type(meta.__index) == "table" then
    walk(prefix, meta.__index, seen)
  end
end

local seen = { [_G] = true }
for name, value in pairs(_G) do
  reach(name)
  if type(value) == "table" then walk(name .. ".", value, seen) end
end
for name, parts in pairs(types()) do
  if documented[name] or next(parts.methods) or next(parts.fields) then reach(name) end
  for method in pairs(parts.methods) do reach(name .. "." .. method) end
  for field in pairs(parts.fields) do reach(name .. "." .. field) end
  for field in pairs(parts.setters) do assert(parts.fields[field], name .. "." .. field) end
end
table.sort(missing)
assert(#missing == 0, "no help on " .. table.concat(missing, ", "))

local extra = {}
for key in pairs(documented) do
  if not reached[key] then extra[#extra + 1] = key end
end
table.sort(extra)
assert(#extra == 0, "help on what is not there: " .. table.concat(extra, ", "))
