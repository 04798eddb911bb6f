-- fingerprint.lua: what the results of a function depend on, by name, so that results that are kept
-- are not taken for those of another function.
local core = ...
local _G = _G -- also when a script sets it
local ipairs, pairs, type, tostring = ipairs, pairs, type, tostring
local concat, sort = table.concat, table.sort

local SHOWN = 16 -- characters

-- Functions and modules of the program and of Lua are the same wherever they are.
local function is_given(value)
  local kind = type(value)
  if kind ~= "table" and kind ~= "function" then return false end
  for name, global in pairs(_G) do
    if rawequal(global, value) then return core.docs[name] ~= nil or core.is_of_lua(name) end
  end
  return kind == "function" and (core.name_of(value) ~= nil or core.inspect(value) == nil)
end

local describe

local function describe_table(t, seen)
  local parts = {}
  for key, value in next, t do
    if not is_given(value) then
      parts[#parts + 1] = describe(key, seen) .. "=" .. describe(value, seen)
    end
  end
  sort(parts)
  return "{" .. concat(parts, ",") .. "}"
end

-- Calls use(name, value) for each variable outside of a function; returns the sum of its code.
local function visit(f, use)
  local code, globals, others = core.inspect(f)
  for _, name in ipairs(globals) do
    local value = rawget(_G, name)
    if value ~= nil and not is_given(value) then use(name, value) end
  end
  for _, variable in ipairs(others) do
    local value = variable.value
    if not (variable.is_set or rawequal(value, _G) or is_given(value)) then
      use(variable.name, value)
    end
  end
  return code
end

local function describe_function(f, seen)
  if is_given(f) then return "given" end
  local parts = {}
  parts[1] = visit(f, function(name, value)
    parts[#parts + 1] = name .. "=" .. describe(value, seen)
  end)
  return concat(parts, ",")
end

local function describe_set(set)
  local names = {}
  for node in set:each() do names[#names + 1] = node.name end
  return concat(names, ",")
end

local by_type = {
  Graph = core.graph_checksum, Cluster = core.cluster_json, Plan = core.plan_checksum,
  Set = describe_set, Array = function(a) return concat(a:list(), ",") end,
  Run = function(run) return core.plan_checksum(run.plan) .. core.number_text(run.makespan) end,
}

function describe(value, seen)
  local kind = type(value)
  if kind == "number" then return core.number_text(value) end
  if kind == "string" then return json(value) end
  if kind == "table" or kind == "function" then
    if not seen[value] then
      seen[value] = "within itself"
      seen[value] = (kind == "table" and describe_table or describe_function)(value, seen)
    end
    return seen[value]
  end
  kind = core.type(value)
  if by_type[kind] then return by_type[kind](value) end
  return (tostring(value):gsub("0x%x+", "")) -- an address is another one each time
end

-- Texts by name: of the function's code, of the variables that it uses, but for those with the path
-- of the file, and of policies in Lua.
function core.fingerprint(f, path)
  local parts = {}
  local function add(name, value)
    if value == path then return end
    local text = describe(value, {})
    parts[name] = #text <= SHOWN and text or core.checksum(text):sub(1, SHOWN)
  end
  parts.run = is_given(f) and "given" or visit(f, add):sub(1, SHOWN)
  for name, policy in pairs(core.policies) do add("policy " .. name, policy) end
  return parts
end
