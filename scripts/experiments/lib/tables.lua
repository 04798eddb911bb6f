-- tables.lua: tables for people: columns as wide as they need, numbers to the right.
local tables = {}

tables.NOTHING = "–"

function tables.number(value, format)
  if not value or value ~= value then return tables.NOTHING end
  return (format or "%.3f"):format(value)
end

-- 1 - ratio as a share: 0.8 is "20.0 %".
function tables.less(ratio)
  if not ratio or ratio ~= ratio then return tables.NOTHING end
  return ("%.1f %%"):format((1 - ratio) * 100)
end

local function width(text)
  return utf8.len(text) or #text
end

local function pad(text, n, to_left)
  local space = (" "):rep(n - width(text))
  return to_left and text .. space or space .. text
end

-- titles and each row are lists of texts; the first column is of names. A row that is false is a
-- line.
function tables.render(titles, rows)
  local widths = {}
  for i, title in ipairs(titles) do
    widths[i] = width(title)
    for _, row in ipairs(rows) do
      if row then widths[i] = math.max(widths[i], width(row[i] or "")) end
    end
  end
  local function join(cells)
    local out = {}
    for i = 1, #titles do out[i] = pad(cells[i] or "", widths[i], i == 1) end
    return (table.concat(out, "  "):gsub("%s+$", ""))
  end
  local bars = {}
  for i = 1, #titles do bars[i] = ("─"):rep(widths[i]) end
  local rule = table.concat(bars, "──")
  local lines = { join(titles), rule }
  for _, row in ipairs(rows) do lines[#lines + 1] = row and join(row) or rule end
  return table.concat(lines, "\n")
end

-- Prints one below a title; below is a line under it, such as by which rule ops ran (orders.lua),
-- which may be left out.
function tables.print(title, titles, rows, below)
  print()
  print(title)
  print(tables.render(titles, rows))
  if below then print(below) end
end

return tables
