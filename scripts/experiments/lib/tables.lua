-- tables.lua: texts of figures, and tables of them for people.
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

-- titles and each row are lists of texts. Rows behind one that is false are the foot.
function tables.render(titles, rows)
  local lines, columns, named, foot = {}, {}, {}, nil
  for c, title in ipairs(titles) do
    columns[c] = ("%02d"):format(c)
    named[columns[c]] = title
  end
  for _, row in ipairs(rows) do
    if row then
      local line = {}
      for c, column in ipairs(columns) do line[column] = row[c] or "" end
      lines[#lines + 1] = line
      foot = foot and foot + 1
    else
      foot = 0
    end
  end
  return records(lines, { columns = columns }):text{ titles = named, foot = foot }
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
