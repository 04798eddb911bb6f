-- verdicts.lua: what must hold, and whether it does, as lines with their numbers.
local tables = dofile "lib/tables.lua"

local verdicts = {}

function verdicts.new()
  local self = { rows = {} }

  -- held: true, false, or nil where it was not measured; found: the number, as text.
  function self.add(what, held, found)
    local word = held and "reached" or held == false and "NOT reached" or "not measured"
    self.rows[#self.rows + 1] = { what, word, found or tables.NOTHING }
  end

  -- Whether a ratio is at least so much below 1.
  function self.less(what, ratio, least)
    self.add(what, ratio and 1 - ratio >= least, ratio and tables.less(ratio))
  end

  function self.print(title)
    tables.print(title or "What must hold", { "", "", "found" }, self.rows)
  end

  return self
end

return verdicts
