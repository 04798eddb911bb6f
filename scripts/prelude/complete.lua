-- complete.lua: what could follow what is typed: globals, fields, methods, option keys, and inside
-- a string names of nodes, plans, devices, policies, presets or fields.
local core = ...
local _G = _G -- also when a script sets it
local pairs, ipairs, type, rawget = pairs, ipairs, type, rawget

local keywords = {
  "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
  "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
}

local function add_matching(list, seen, names, prefix)
  for name in pairs(names) do
    if type(name) == "string" and not seen[name] and name:sub(1, #prefix) == prefix
      and name:match "^[%a_][%w_]*$" then
      seen[name] = true
      list[#list + 1] = name
    end
  end
end

-- What "a.b.c" is, without calling anything: fields of our objects are cheap and safe to read.
local function resolve(path)
  local value
  for word in path:gmatch "[%w_]+" do
    if value == nil then
      value = rawget(_G, word)
    elseif type(value) == "table" then
      value = rawget(value, word)
    else
      local parts = core.types[core.type(value)]
      if not (parts and parts.fields[word]) then return nil end
      local ok, field = pcall(parts.fields[word], value, word)
      value = ok and field or nil
    end
    if value == nil then return nil end
  end
  return value
end

local function members(value, separator, prefix)
  local list, seen = {}, {}
  local parts = core.types[core.type(value)]
  if parts then
    add_matching(list, seen, parts.methods, prefix)
    if separator == "." then add_matching(list, seen, parts.fields, prefix) end
  elseif type(value) == "table" then
    add_matching(list, seen, value, prefix)
    if core.is_table(value) then
      add_matching(list, seen, core.types.Table.methods, prefix)
    end
  elseif type(value) == "string" then
    add_matching(list, seen, string, prefix)
  end
  return list
end

-- The keys that a call's table of options takes, as its help says: "opts: a, b, c."
local function option_keys(before, prefix)
  local callee = before:match "([%w_.:]+)%s*%(?[^(){}]*{[^{}]*$"
  if not callee or not before:match "[{,]%s*[%w_]*$" then return nil end
  local path, separator, name = callee:match "^(.-)([.:])([%w_]+)$"
  local owner = path and resolve(path)
  local parts = core.types[core.type(owner)]
  local key = parts and core.type(owner) .. "." .. name or callee
  local row = core.docs[key]
  local words = row and row.sentence:match "opts: ([^.;]*)"
  if not words then return nil end
  local list, seen, keys = {}, {}, {}
  for word in words:gsub("%b()", ""):gmatch "[%a_]+" do keys[word] = true end
  add_matching(list, seen, keys, prefix)
  return list
end

-- --- names inside strings ------------------------------------------------------------------------

local MAX_NAMES = 100

-- The beginning of the string that the cursor is in, and the text before its quote; or nil.
local function open_string(before)
  local line = before:match "[^\n]*$"
  local quote, from, i = nil, nil, 1
  while i <= #line do
    local c = line:sub(i, i)
    if quote then
      if c == "\\" then i = i + 1 elseif c == quote then quote = nil end
    elseif c == '"' or c == "'" then
      quote, from = c, i
    end
    i = i + 1
  end
  if quote then return line:sub(from + 1), line:sub(1, from - 1) end
end

local function preset_rows()
  local rows = {}
  for name, blurb in pairs(cluster.presets()) do rows[#rows + 1] = { name, blurb } end
  return rows
end

local function named_rows(list)
  local rows = {}
  for _, row in ipairs(list) do rows[#rows + 1] = { row.name, row.blurb } end
  return rows
end

-- What a function takes as its first string.
local kinds_of = {
  ["policy.get"] = function() return named_rows(policy.list()) end,
  ["cluster.preset"] = preset_rows,
  ["app.cluster"] = preset_rows,
  ["graph.generate"] = function() return named_rows(graph.families()) end,
  ["view.color"] = function()
    local rows = {}
    for name, field in pairs(core.fields) do rows[#rows + 1] = { name, field.blurb } end
    return rows
  end,
}

local function string_rows(prefix, callee)
  local known, doc = kinds_of[callee], core.docs[callee]
  if doc and doc.signature:find("(path", 1, true) then return {}, {} end -- names of files
  local rows = known and known() or core.names(prefix, MAX_NAMES)
  local list, details = {}, {}
  for _, row in ipairs(rows) do
    if row[1]:sub(1, #prefix) == prefix and not details[row[1]] and #list < MAX_NAMES then
      list[#list + 1] = row[1]
      details[row[1]] = row[2] .. "\n"
    end
  end
  return list, details
end

-- --- what a word is ------------------------------------------------------------------------------

-- Signature and sentence of each word, by its key in the help.
local function details_of(list, prefix)
  local details = {}
  for _, word in ipairs(list) do
    local row = core.docs[prefix .. word]
    if row then details[word] = row.signature .. "\n" .. row.sentence end
  end
  return details
end

local function key_of(path, value)
  local kind = core.type(value)
  if core.types[kind] then return kind .. "." end
  return type(value) == "table" and path .. "." or ""
end

-- The words, the byte at which what they replace begins, and by word its signature, a newline and a
-- sentence.
function core.complete(before)
  local inside, outside = open_string(before)
  if inside then
    local list, details = string_rows(inside, outside:match "([%w_.:]+)%s*[({]?%s*$" or "")
    return list, #before - #inside, details
  end

  local path, separator, prefix = before:match "([%a_][%w_.]*)([.:])([%w_]*)$"
  if path then
    local value = resolve(path)
    local list = value ~= nil and members(value, separator, prefix) or {}
    return list, #before - #prefix, details_of(list, key_of(path, value))
  end

  prefix = before:match "[%a_][%w_]*$"
  local list = option_keys(before, prefix or "")
  if list and #list > 0 then return list, #before - #(prefix or ""), {} end
  if not prefix then return {}, #before, {} end

  local seen = {}
  list = {}
  add_matching(list, seen, _G, prefix)
  local words = {}
  for _, word in ipairs(keywords) do words[word] = true end
  add_matching(list, seen, words, prefix)
  return list, #before - #prefix, details_of(list, "")
end
