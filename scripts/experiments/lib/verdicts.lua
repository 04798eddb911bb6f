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

  -- Whether a mean ratio is at least so much below 1; of n graphs of so many, where others have
  -- none.
  function self.less(what, ratio, least, n, n_all)
    local found = ratio and tables.less(ratio)
    if found and n and n < n_all then found = ("%s on %d of %d graphs"):format(found, n, n_all) end
    self.add(what, ratio and 1 - ratio >= least, found)
  end

  -- n: of how many graphs all this is said.
  function self.print(n)
    tables.print(("What must hold, on %d graph%s"):format(n, n == 1 and "" or "s"),
      { "", "", "found" }, self.rows)
  end

  return self
end

return verdicts
