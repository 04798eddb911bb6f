-- arguments.lua: a function refuses more arguments than its help says, in place of ignoring them.
local core = ...
local docs = core.docs
local error, pairs, select, type = error, pairs, select, type

-- How many arguments "plan.new(g, cluster)" takes; nil for any number, or where it is no call.
local function count(signature)
  if signature:find("...", 1, true) then return nil end
  if signature:find "^[%w_.:]+{" then return 1 end
  local list = signature:match "^[%w_.:]+%((.*)%)$"
  if not list then return nil end
  if list == "" then return 0 end
  return select(2, list:gsub(",", ",")) + 1
end

local function refuse(signature, n, limit)
  error(("%s: %d argument%s expected, got %d"):format(
    signature, limit, limit == 1 and "" or "s", n), 4)
end

-- Functions of the prelude say so themselves: core.check(key, ...) with what came after the last.
-- A call as the last argument gives all of its answers: figures beside the first are left out, and
-- the reason of a nil is told.
function core.check(key, ...)
  local n = select("#", ...)
  if n == 0 or n == 1 and core.is_figures(...) then return end
  local signature = docs[key].signature
  local limit = count(signature)
  local n_self = signature:find "^[%w_]+:" and 1 or 0
  if n == 1 and type(...) == "string" and core.is_nil_local(limit + n_self) then
    error(("%s: argument %d is nil: %s"):format(signature, limit, (...)), 3)
  end
  refuse(signature, limit + n, limit)
end

-- Refuses the n-th argument of a function of the prelude unless it is of a kind, in the words of
-- functions in C and with the line of the caller.
function core.expect(value, kind, n, name, words)
  if type(value) ~= kind then
    error(("bad argument #%d to '%s' (%s expected)"):format(n, name, words or kind), 3)
  end
end

local function answer(is_done, ...)
  if not is_done then error((...), 4) end
  return ...
end

-- Calls a function in C whose mistakes are those of the line that called our own function.
function core.forward(f, ...)
  local answers = table.pack(answer(pcall(f, ...)))
  return table.unpack(answers, 1, answers.n)
end

local function limit_all(prefix, functions, n_self)
  for name, f in pairs(functions) do
    local doc = docs[prefix .. name]
    local n = doc and type(f) == "function" and count(doc.signature)
    if n then core.limit(f, n + n_self, doc.signature) end
  end
end

function core.limit_arguments()
  for name, value in pairs(_G) do
    if type(value) == "table" and docs[name] then limit_all(name .. ".", value, 0) end
  end
  for name, parts in pairs(core.types) do limit_all(name .. ".", parts.methods, 1) end
end
