-- help.lua: help(x) and apropos(word), from the table in docs.lua.
local core = ...
local docs = core.docs
local pairs, ipairs, type, tostring, table = pairs, ipairs, type, tostring, table

local modules = { "app", "cluster", "compare", "graph", "job", "plan", "plot", "policy", "scene",
  "sim", "ui", "view" }
local globals = { "apropos", "describe", "help", "pp", "show", "sweep", "time" }
local names = {} -- function -> key in docs

-- Later definitions of the same function keep the first name.
local function remember(prefix, functions)
  for name, f in pairs(functions) do
    local key = prefix .. name
    if type(f) == "function" and docs[key] and not names[f] then names[f] = key end
  end
end

-- Fields share getters, so only methods have names.
function core.index_functions()
  for _, module in ipairs(modules) do remember(module .. ".", _G[module]) end
  for name, parts in pairs(core.types) do remember(name .. ".", parts.methods) end
  for _, name in ipairs(globals) do
    if _G[name] then names[_G[name]] = name end
  end
end

function core.name_of(f)
  return names[f]
end

local function members(prefix)
  local keys = {}
  for key in pairs(docs) do
    if key:sub(1, #prefix) == prefix then keys[#keys + 1] = key end
  end
  table.sort(keys)
  local rows = {}
  for i, key in ipairs(keys) do rows[i] = { docs[key].signature, docs[key].sentence } end
  return rows
end

local function doc_text(key)
  local row = docs[key]
  local text = row.signature .. "\n  " .. row.sentence .. "\n  Example: " .. row.example .. "\n"
  local rows = members(key .. ".")
  if #rows > 0 then text = text .. "\n  " .. core.columns(rows):gsub("\n", "\n  ") .. "\n" end
  return text
end

local function overview()
  local rows = {}
  for _, key in ipairs(modules) do rows[#rows + 1] = { key, docs[key].sentence } end
  for _, key in ipairs { "g", "p", "r", "sel", "_", "out" } do
    rows[#rows + 1] = { key, docs[key].sentence }
  end
  for _, key in ipairs(globals) do rows[#rows + 1] = { docs[key].signature, docs[key].sentence } end
  return core.columns(rows)
    .. "\n\nhelp \"graph.load\", help(g) or, at a prompt, graph.load? tell more.\n"
end

local function key_of_value(value)
  if type(value) == "function" then return names[value] end
  if type(value) == "table" then
    for _, module in ipairs(modules) do
      if _G[module] == value then return module end
    end
  end
  local kind = core.type(value)
  return core.types[kind] and docs[kind] and kind or nil
end

-- "graph.load", "Graph:where", "g.name", "r:idle": walks the globals where docs has no such key.
local function key_of_name(name)
  local plain = name:gsub("%s", ""):gsub(":", "."):gsub("%(.*%)$", "")
  if docs[plain] and not core.types[core.type(rawget(_G, plain))] then return plain end

  local value, key = nil, nil
  for word in plain:gmatch "[^.]+" do
    if key == nil and value == nil then
      value = rawget(_G, word)
      key = value ~= nil and key_of_value(value) or nil
    else
      key = key and docs[key .. "." .. word] and key .. "." .. word or nil
    end
    if not key then break end
  end
  return key or (docs[plain] and plain)
end

function help(x, ...)
  core.check("help", ...)
  if x == nil then
    core.write(overview())
    return
  end

  local key = type(x) == "string" and key_of_name(x) or type(x) ~= "string" and key_of_value(x)
  if key then
    core.write(doc_text(key))
  elseif type(x) == "string" then
    core.write("There is no help on '" .. x .. "'; apropos \"" .. x .. "\" searches for it.\n")
  else
    core.write(tostring(x) .. ": a " .. core.type(x) .. " of yours\n")
  end
end

-- What a word means, where docs speak of it as a part of several things: "select" of a view, "top"
-- of a set.
local function parts_of_that_name(word)
  local rows, keys = {}, {}
  for key in pairs(docs) do
    if key:match "[^.]+$" == word then keys[#keys + 1] = key end
  end
  table.sort(keys)
  for i, key in ipairs(keys) do rows[i] = doc_text(key) end
  return #rows > 0 and table.concat(rows, "\n") or nil
end

-- What the word at the cursor means: "view.co|lor" is view.color; nothing there is the overview.
function core.help_at(before, after)
  local name = (before:match "[%a_][%w_.:]*$" or "") .. (after:match "^[%w_]*" or "")
  -- "view.color(" with the cursor behind it is about view.color still.
  if name == "" then name = before:match "([%a_][%w_.:]*)%s*[({\"']$" or "" end
  if name == "" then return overview() end

  local key = key_of_name(name)
  if key then return doc_text(key) end
  return parts_of_that_name(name:match "[%w_]*$")
    or "There is no help on '" .. name .. "'; apropos \"" .. name .. "\" searches for it.\n"
end

function apropos(word, ...)
  core.check("apropos", ...)
  core.expect(word, "string", 1, "apropos")

  local wanted, keys = word:lower(), {}
  for key, row in pairs(docs) do
    local text = (key .. " " .. row.signature .. " " .. row.sentence):lower()
    if text:find(wanted, 1, true) then keys[#keys + 1] = key end
  end
  table.sort(keys)
  local rows = {}
  for i, key in ipairs(keys) do rows[i] = { docs[key].signature, docs[key].sentence } end
  core.write(#rows > 0 and core.columns(rows) .. "\n" or "Nothing speaks of '" .. word .. "'.\n")
end
