-- csv.lua: comma-separated values as RFC 4180 has them: lines end in CRLF, quotes are doubled.
local csv = {}

local function cell(value)
  if value == nil then return "" end
  local text = tostring(value)
  if math.type(value) == "float" then
    for digits = 15, 17 do
      text = ("%." .. digits .. "g"):format(value)
      if tonumber(text) == value then break end
    end
    if value ~= value then text = "" end
  end
  if text:find '[",\r\n]' then text = '"' .. text:gsub('"', '""') .. '"' end
  return text
end

local function line(cells, n)
  local out = {}
  for i = 1, n do out[i] = cell(cells[i]) end
  return table.concat(out, ",") .. "\r\n"
end

-- Rows are tables by the names of columns.
function csv.write(columns, rows)
  local lines = { line(columns, #columns) }
  for _, row in ipairs(rows) do
    local cells = {}
    for i, column in ipairs(columns) do cells[i] = row[column] end
    lines[#lines + 1] = line(cells, #columns)
  end
  return table.concat(lines)
end

-- One cell from byte `at`: its text, and where what ended it is; nil where the text ends within
-- quotes.
local function read_cell(text, at)
  if text:sub(at, at) ~= '"' then
    local stop = text:find("[,\r\n]", at) or #text + 1
    return text:sub(at, stop - 1), stop
  end
  local parts, from = {}, at + 1
  while true do
    local quote = text:find('"', from, true)
    if not quote then return nil end
    parts[#parts + 1] = text:sub(from, quote - 1)
    if text:sub(quote + 1, quote + 1) ~= '"' then return table.concat(parts), quote + 1 end
    parts[#parts + 1] = '"'
    from = quote + 2
  end
end

-- What csv.write() wrote, and the list of columns. Cells are texts, "" for nothing. Text without
-- the end of its last line loses that line: whoever wrote it was stopped.
function csv.read(text)
  local records, record, at = {}, {}, 1
  while at <= #text do
    local value, stop = read_cell(text, at)
    if not value then break end
    record[#record + 1] = value
    if text:sub(stop, stop) == "," then
      at = stop + 1
    elseif text:sub(stop, stop + 1) == "\r\n" then
      records[#records + 1], record, at = record, {}, stop + 2
    else
      break
    end
  end
  local columns, rows = table.remove(records, 1) or {}, {}
  for i, cells in ipairs(records) do
    rows[i] = {}
    for j, column in ipairs(columns) do rows[i][column] = cells[j] end
  end
  return rows, columns
end

return csv
