-- complete.lua: what could follow what is typed: globals, fields, methods, option keys.
local core = ...
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

-- The answers, and the byte at which what they replace begins.
function core.complete(before)
  local path, separator, prefix = before:match "([%a_][%w_.]*)([.:])([%w_]*)$"
  if path then
    local value = resolve(path)
    return value ~= nil and members(value, separator, prefix) or {}, #before - #prefix
  end

  prefix = before:match "[%a_][%w_]*$"
  local list = option_keys(before, prefix or "")
  if list and #list > 0 then return list, #before - #(prefix or "") end
  if not prefix then return {}, #before end

  local seen = {}
  list = {}
  add_matching(list, seen, _G, prefix)
  local words = {}
  for _, word in ipairs(keywords) do words[word] = true end
  add_matching(list, seen, words, prefix)
  return list, #before - #prefix
end
