-- journal.lua: results of a long experiment, kept as each is found, so that it can go on.
--
-- A file of comma-separated values, replaced whole after every result: whatever happens, what is
-- in it is whole. One script at a time writes one. Benches and sweeps keep journals of their own;
-- this is for steps that go on from each other's plans.
local journal = {}

local columns = { "key", "valid", "makespan_s", "evaluations", "seconds", "why" }

-- The journal at a path, begun or gone on with; without a path nothing is kept.
function journal.open(path)
  local rows, found = {}, {}
  local text = path and app.read(path)
  if text and #text > 0 then
    local kept, why = records.parse(text)
    local names = kept and table.concat(kept:columns():values "name", ",")
    if names ~= table.concat(columns, ",") then
      error(path .. ": is not a journal of such an experiment; choose another file"
        .. (why and ": " .. why or ""), 0)
    end
    rows = table.move(kept, 1, #kept, 1, rows)
  end
  local function remember(row)
    found[row.key] = { valid = row.valid, makespan = row.makespan_s, why = row.why,
                       evaluations = row.evaluations, seconds = row.seconds }
  end
  for _, row in ipairs(rows) do remember(row) end

  local self = {}

  -- The result kept under a key, else what make() finds, which is kept.
  function self.get(key, make)
    if not found[key] then
      local result = make()
      local row = { key = key, valid = result.valid, makespan_s = result.makespan,
                    why = result.why, evaluations = result.evaluations,
                    seconds = result.seconds }
      rows[#rows + 1] = row
      remember(row)
      if path then assert(app.write(path, records(rows, { columns = columns }):csv())) end
    end
    return found[key]
  end

  return self
end

return journal
