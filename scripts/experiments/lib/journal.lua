-- journal.lua: results of a long experiment, kept as each is found, so that it can go on.
--
-- A file of comma-separated values, replaced whole after every result: whatever happens, what is
-- in it is whole. One script at a time writes one. Benches keep journals of their own
-- (bench.run's option); this is for what is not a bench.
local csv = dofile "lib/csv.lua"

local journal = {}

local columns = { "key", "valid", "makespan", "evaluations", "seconds", "why" }

local function from_text(row)
  return {
    valid = row.valid == "true",
    makespan = tonumber(row.makespan),
    evaluations = tonumber(row.evaluations),
    seconds = tonumber(row.seconds),
    why = row.why,
  }
end

-- The journal at a path, begun or gone on with; without a path nothing is kept.
function journal.open(path)
  local self = { path = path, rows = {}, found = {} }
  local text = path and app.read(path)
  if text and #text > 0 then
    local rows, names = csv.read(text)
    if table.concat(names, ",") ~= table.concat(columns, ",") then
      error(path .. ": is not a journal of such an experiment; choose another file", 0)
    end
    for _, row in ipairs(rows) do
      self.found[row.key] = from_text(row)
      self.rows[#self.rows + 1] = row
    end
  end

  -- The result kept under a key, else what make() finds, which is kept.
  function self.get(key, make)
    if self.found[key] then return self.found[key] end
    local result = make()
    self.found[key] = result
    if path then
      local row = { key = key }
      for i = 2, #columns do row[columns[i]] = result[columns[i]] end
      self.rows[#self.rows + 1] = row
      assert(app.write(path, csv.write(columns, self.rows)))
    end
    return result
  end

  return self
end

return journal
