-- sketch.lua: plots as text, where there is no window: dots, bars and shades of Unicode.
local core = ...
local ipairs, type = ipairs, type

local MOST_POINTS = 20000 -- of which a sketch is made
local WIDTH, HEIGHT = 56, 12 -- of dots, in letters of two by four
local BAR, MOST_BARS = 40, 30
local SHADES = { "░", "▒", "▓", "█" }

local function range_of(rows, key)
  local least, most = math.huge, -math.huge
  for _, row in ipairs(rows) do
    local value = row[key]
    if type(value) == "number" and value == value then
      least, most = math.min(least, value), math.max(most, value)
    end
  end
  return least, most
end

-- Values of a column in the order they come, and the place of each.
local function distinct(rows, key)
  local list, places = {}, {}
  for _, row in ipairs(rows) do
    local value = row[key]
    if value ~= nil and not places[value] then
      list[#list + 1] = value
      places[value] = #list
    end
  end
  return list, places
end

-- The place of a value among so many.
local function place(value, least, most, n)
  return most > least and math.floor((value - least) / (most - least) * (n - 1) + 0.5) or n // 2
end

-- A letter of Braille has eight dots, whose bits go down its left column and then its right one,
-- but for the lowest two.
local BITS = { { 1, 8 }, { 2, 16 }, { 4, 32 }, { 64, 128 } }

-- is_line: the dots between two points of a series, too.
local function dots(rows, x, y, text_of, is_line)
  local words, places = distinct(rows, x)
  local is_words = type(words[1]) == "string"
  local x_least, x_most = 1, #words
  if not is_words then x_least, x_most = range_of(rows, x) end
  local y_least, y_most = range_of(rows, y)
  local cells, last = {}, {}
  local function set(column, line)
    local cell = line // 4 * WIDTH + column // 2
    cells[cell] = (cells[cell] or 0) | BITS[line % 4 + 1][column % 2 + 1]
  end
  for _, row in ipairs(rows) do
    local at = is_words and places[row[x]] or row[x]
    if type(at) == "number" and type(row[y]) == "number" and row[y] == row[y] then
      local column = place(at, x_least, x_most, 2 * WIDTH)
      local line = 4 * HEIGHT - 1 - place(row[y], y_least, y_most, 4 * HEIGHT)
      local before = is_line and last[row.series] or { column, line }
      local n = math.max(math.abs(column - before[1]), math.abs(line - before[2]), 1)
      for i = 1, n do
        set(before[1] + (column - before[1]) * i // n, before[2] + (line - before[2]) * i // n)
      end
      set(before[1], before[2])
      last[row.series] = { column, line }
    end
  end
  local top, bottom = text_of(y_most, y), text_of(y_least, y)
  local margin, lines = math.max(utf8.len(top), utf8.len(bottom)), {}
  for i = 0, HEIGHT - 1 do
    local letters = {}
    for k = 0, WIDTH - 1 do letters[k + 1] = utf8.char(0x2800 + (cells[i * WIDTH + k] or 0)) end
    local name = i == 0 and top or i == HEIGHT - 1 and bottom or ""
    lines[i + 1] = (" "):rep(margin - utf8.len(name)) .. name .. " ┤" .. table.concat(letters)
  end
  local left = text_of(is_words and words[1] or x_least, x)
  local right = text_of(is_words and words[#words] or x_most, x)
  lines[#lines + 1] = (" "):rep(margin + 2) .. left
    .. (" "):rep(math.max(1, WIDTH - utf8.len(left) - utf8.len(right))) .. right
  return table.concat(lines, "\n")
end

-- names: columns in front of the number that say what a bar is of.
local function bars(rows, names, y, text_of)
  local _, most = range_of(rows, y)
  local cells = {}
  for i = 1, math.min(#rows, MOST_BARS) do
    local words, value = {}, rows[i][y]
    for _, name in ipairs(names) do words[#words + 1] = text_of(rows[i][name], name) end
    local n = value and most > 0 and math.max(0, math.floor(value / most * BAR + 0.5)) or 0
    cells[i] = { table.concat(words, " "), ("█"):rep(n) .. " " .. text_of(value, y) }
  end
  local text = core.columns(cells)
  return #rows > MOST_BARS and ("%s\n… %d more"):format(text, #rows - MOST_BARS) or text
end

local function shades(rows, x, y, z, text_of)
  local columns, at = distinct(rows, x)
  local lines, of = distinct(rows, y)
  local least, most = range_of(rows, z)
  local grid, cells = {}, {}
  for _, row in ipairs(rows) do
    if type(row[z]) == "number" then
      grid[of[row[y]] * #columns + at[row[x]]] = SHADES[1 + place(row[z], least, most, #SHADES)]
    end
  end
  for i, name in ipairs(lines) do
    local letters = {}
    for k in ipairs(columns) do letters[k] = (grid[i * #columns + k] or "·"):rep(2) end
    cells[i] = { text_of(name, y), table.concat(letters) }
  end
  return core.columns(cells) .. ("\n%s: ░ %s … █ %s; across: %s to %s"):format(z, text_of(least, z),
    text_of(most, z), text_of(columns[1], x), text_of(columns[#columns], x))
end

-- The plot as lines of text; nil of one that has too much or nothing to show.
function core.sketch(figure)
  if figure.points > MOST_POINTS then return nil end
  local rows = records.parse(figure:csv())
  if not rows or #rows == 0 then return nil end
  local names = core.columns_of(rows)
  local function text_of(value, key) return core.cell(value, key, core.meta(rows, "units")) end
  if figure.kind == "heat" then return shades(rows, names[2], names[3], names[4], text_of) end
  if figure.kind == "histogram" then
    return bars(rows, { names[2] }, names[4], text_of)
  end
  if figure.kind == "bars" then
    local of = #distinct(rows, names[1]) > 1 and { names[2], names[1] } or { names[2] }
    return bars(rows, of, names[3], text_of)
  end
  return dots(rows, names[2], names[3], text_of, figure.kind == "lines")
end

local show_text = core.show

function core.show(value)
  local sketch = core.type(value) == "Plot" and core.sketch(value)
  return show_text(value) .. (sketch and "\n" .. sketch or "")
end
