-- output.lua: where an experiment's files go.
--
-- A file is replaced only if an earlier run of the same experiment wrote it: its first line says
-- so, or it is a picture as ours are. Whoever else's file has the name is asked to keep it
-- elsewhere.
local output = {}

-- The first line, which must be the same for the file to be replaced.
local function head(text)
  return text:match "^[^\r\n]*"
end

local function refuse(path)
  error(path .. ": another file has this name; move it, or choose another --out", 0)
end

function output.open(folder)
  folder = folder or "goban-out"
  assert(app.mkdir(folder))
  local self = { folder = folder, written = {} }

  function self.path(name) return folder .. "/" .. name end

  local function write(name, text)
    local path = self.path(name)
    local old, why = app.read(path)
    local is_others = old and #old > 0 and head(old) ~= head(text)
      or not old and why:find "not a text"
    if is_others then refuse(path) end
    assert(app.write(path, text))
    self.written[#self.written + 1] = path
  end

  function self.csv(name, columns, rows)
    write(name, records(rows, { columns = columns }):csv())
  end

  -- width: of as much as a screen has unless told
  function self.plot(name, figure, width)
    local path = self.path(name)
    local old, why = app.read(path)
    if old and not old:find "^<%?xml" or not old and why:find "not a text" then refuse(path) end
    self.written[#self.written + 1] = assert(figure:save(path, { width = width }))
  end

  function self.tell()
    print()
    print("written: " .. table.concat(self.written, ", "))
  end

  return self
end

return output
