-- help.lua: help(x) and apropos(word). The words stand beside the functions: in tables of entries
-- in app/lua, and above functions of the prelude as core.doc(key, arguments, sentence, example).
--
-- Keys are "module.function", "Type.method", "Type.field" or a global's name. Times are seconds and
-- sizes bytes throughout; a string with a unit does where a number is asked. Examples run with
-- samples/toy.dot open: tests/lua/examples.lua says what else they find.
local core = ...
local _G = _G -- also when a script sets it
local docs = core.docs
local pairs, ipairs, type, tostring, table = pairs, ipairs, type, tostring, table

function core.doc(key, arguments, sentence, example)
  local owner, name = key:match "^(%u%w*)%.(.+)$"
  local call = owner and core.types[owner].variable .. ":" .. name or key
  docs[key] = { signature = call .. arguments, sentence = sentence, example = example }
end

-- Functions and libraries that Lua's own manual describes.
local MANUAL = "https://www.lua.org/manual/5.4/manual.html"
local lua_names = {}
for name in ([[_G _VERSION assert collectgarbage coroutine dofile error getmetatable ipairs load
    loadfile math next os pairs pcall print rawequal rawget rawlen rawset select setmetatable string
    table tonumber tostring type utf8 warn xpcall]]):gmatch "[%w_]+" do
  lua_names[name] = true
end

-- "string" and "string.format".
local function is_of_lua(key)
  local owner, name = key:match "^([^.]+)%.?(.*)$"
  local value = lua_names[owner] and rawget(_G, owner)
  return value ~= nil and value ~= false
    and (name == "" or type(value) == "table" and owner ~= "_G" and value[name] ~= nil)
end

core.is_of_lua = is_of_lua

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
  for name, value in pairs(_G) do
    if type(value) == "function" and docs[name] then names[value] = name end
    if type(value) == "table" and docs[name] then remember(name .. ".", value) end
  end
  for name, parts in pairs(core.types) do remember(name .. ".", parts.methods) end
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
  local text = row.signature .. "\n  " .. row.sentence .. "\n"
  if row.example then text = text .. "  Example: " .. row.example .. "\n" end
  local rows = members(key .. ".")
  if #rows > 0 then text = text .. "\n  " .. core.columns(rows):gsub("\n", "\n  ") .. "\n" end
  return text
end

-- Up to the first period or semicolon.
local function brief(sentence)
  return (sentence:match "^(.-)[.;]%s" or sentence:gsub("%.$", "")) .. "."
end

-- The group of a name that is in no module: modules, variables, functions, types.
local function kind_of(key)
  if core.types[key] then return 4 end
  if docs[key].signature ~= key and key ~= "plot" and key ~= "compare" then return 3 end
  return #members(key .. ".") > 0 and 1 or 2
end

local function overview()
  local headings, parts = { "Modules", "Variables", "Functions", "Types" }, {}
  for kind, heading in ipairs(headings) do
    local rows = {}
    for key, row in pairs(docs) do
      if not key:find(".", 1, true) and kind_of(key) == kind then
        rows[#rows + 1] = { row.signature, brief(row.sentence) }
      end
    end
    table.sort(rows, function(a, b) return a[1] < b[1] end)
    parts[kind] = heading .. "\n" .. core.columns(rows)
  end
  return table.concat(parts, "\n\n")
    .. "\n\nhelp \"graph.load\", help(g) or, at a prompt, graph.load? tell more.\n"
    .. "apropos \"memory\" searches; man goban-lua has all of it.\n"
end

local function key_of_value(value)
  if type(value) == "function" then return names[value] end
  if core.is_table(value) then return "Table" end
  if type(value) == "table" then
    for name, module in pairs(_G) do
      if rawequal(module, value) and docs[name] and kind_of(name) == 1 then return name end
    end
  end
  local kind = core.type(value)
  return core.types[kind] and docs[kind] and kind or nil
end

-- "graph.load", "Graph:where", "g.name", "r:idle": walks the globals where docs has no such key.
local function plain_name(name)
  return (name:gsub("%s", ""):gsub(":", "."):gsub("%(.*%)$", ""))
end

-- "t:compare", as help writes methods: of the type whose values are called t there.
local function key_of_variable(plain)
  local word, part = plain:match "^(%l%w*)%.([%w_]+)$"
  for _, name in ipairs(core.keys(core.types)) do
    local key = name .. "." .. (part or "")
    if core.types[name].variable == word and docs[key] then return key end
  end
  return nil
end

local function key_of_name(name)
  local plain = plain_name(name)
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
  return key or docs[plain] and plain or key_of_variable(plain)
end

-- The help for a name that is not a key: of Lua's own, or which names are near.
local function unknown_text(name)
  local plain = plain_name(name)
  if is_of_lua(plain) then
    return ("%s is part of Lua 5.4: %s#pdf-%s\n"):format(plain, MANUAL, plain)
  end
  local found, last_words = {}, {}
  for key in pairs(docs) do last_words[key:match "[^.]*$"] = true end
  local last = plain:match "[^.]*$"
  local near = last_words[last] and last or core.nearest_key(last_words, last)
  for key in pairs(docs) do
    if near and key:match "[^.]*$" == near then found[#found + 1] = key end
  end
  table.sort(found)
  local guess = #found > 0
    and "did you mean " .. table.concat(found, ", ", 1, math.min(#found, 5)) .. "? " or ""
  return "There is no help on '" .. name .. "'; " .. guess
    .. "apropos \"" .. name .. "\" searches for it.\n"
end

core.doc("help", "(x)",
  "The help of a function, a value or a name; of nothing, what there is. At a prompt also x?",
  "help(graph.load)")
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
    core.write(unknown_text(x))
  else
    core.write(tostring(x) .. ": a " .. core.type(x) .. " of yours\n")
  end
end

core.doc("app.reference", "()",
  "All help, sorted by name: a list of { name =, signature =, sentence =, example = }.",
  "#app.reference()")
function app.reference(...)
  core.check("app.reference", ...)
  local rows = {}
  for key, row in pairs(docs) do
    rows[#rows + 1] = {
      name = key, signature = row.signature, sentence = row.sentence, example = row.example,
    }
  end
  table.sort(rows, function(a, b) return a.name < b.name end)
  return rows
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
  return not is_of_lua(plain_name(name)) and parts_of_that_name(name:match "[%w_]*$")
    or unknown_text(name)
end

core.doc("apropos", "(word)",
  "Everything whose name or description has the word.",
  'apropos "memory"')
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
