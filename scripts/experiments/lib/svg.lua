-- svg.lua: pictures as text: shapes, axes and the look that all charts share.
local svg = {}

-- Okabe and Ito's palette: told apart with every kind of colour vision. Yellow is left out: it is
-- too light for lines on white.
svg.palette = { "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000",
  "#999999" }
svg.INK, svg.FAINT, svg.GRID = "#222222", "#666666", "#E3E3E3"
local FONT = "DejaVu Sans, Noto Sans, Helvetica, Arial, sans-serif"

function svg.color(i)
  return svg.palette[(i - 1) % #svg.palette + 1]
end

local escapes = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

local function escape(text)
  return (tostring(text):gsub('[&<>"]', escapes))
end

local function number(x)
  return (("%.2f"):format(x):gsub("%.?0+$", ""))
end

-- About the width of a text, for what must not touch: DejaVu's letters are wide.
function svg.width(text, size)
  return (utf8.len(text) or #text) * size * 0.62
end

-- A picture of a size in pixels; its first line says which experiment's it is.
function svg.new(width, height, mark)
  local self = { width = width, height = height }
  local parts = {}

  local function add(format, ...) parts[#parts + 1] = format:format(...) end

  function self.rect(x, y, w, h, color, tip)
    add('<rect x="%s" y="%s" width="%s" height="%s" fill="%s">', number(x), number(y), number(w),
      number(h), color)
    add("%s</rect>", tip and "<title>" .. escape(tip) .. "</title>" or "")
  end

  function self.line(x1, y1, x2, y2, color, dash)
    add('<line x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s"%s/>', number(x1), number(y1), number(x2),
      number(y2),
      color, dash and (' stroke-dasharray="%s"'):format(dash) or "")
  end

  -- points: a list of { x, y }
  function self.curve(points, color, dash)
    local out = {}
    for i, point in ipairs(points) do out[i] = number(point[1]) .. "," .. number(point[2]) end
    add('<polyline points="%s" fill="none" stroke="%s" stroke-width="2" '
      .. 'stroke-linejoin="round"%s/>',
      table.concat(out, " "), color, dash and (' stroke-dasharray="%s"'):format(dash) or "")
  end

  -- look: size (12), anchor ("start"), color, bold, turn (degrees)
  function self.text(x, y, text, look)
    look = look or {}
    add('<text x="%s" y="%s" font-size="%s" text-anchor="%s" fill="%s"%s%s>%s</text>', number(x),
      number(y),
      number(look.size or 12), look.anchor or "start", look.color or svg.INK,
      look.bold and ' font-weight="bold"' or "",
      look.turn and (' transform="rotate(%s %s %s)"'):format(number(look.turn), number(x),
        number(y)) or "",
      escape(text))
  end

  function self.finish()
    return ("<!-- Goban: %s -->\n"):format(mark)
      .. ('<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" '
      .. 'viewBox="0 0 %.0f %.0f" '
        .. 'font-family="%s">\n'):format(width, height, width, height, FONT)
      .. ('<rect width="%.0f" height="%.0f" fill="#FFFFFF"/>\n'):format(width, height)
      .. table.concat(parts, "\n") .. "\n</svg>\n"
  end

  return self
end

-- --- axes --------------------------------------------------------------------------------------

-- 1, 2 or 5 times a power of ten, so that about n steps fit into a span.
local function round_step(span, n)
  local raw = span / n
  local power = 10 ^ math.floor(math.log(raw, 10))
  for _, step in ipairs{ 1, 2, 5 } do
    if raw <= step * power * 1.0001 then return step * power end
  end
  return 10 * power
end

local function linear_ticks(low, high)
  local step, ticks = round_step(high - low, 6), {}
  for i = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) do
    ticks[#ticks + 1] = i * step
  end
  return ticks
end

-- Powers of ten, and so many round numbers between them that there are about six.
local function log_ticks(low, high)
  local span = math.log(high / low, 10)
  local factors = span > 2.5 and { 1 } or span > 1.3 and { 1, 2, 5 } or span > 0.5
    and { 1, 1.5, 2, 3, 5, 7 }
    or span > 0.2 and { 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9 }
    or { 1, 1.05, 1.1, 1.15, 1.2, 1.3, 1.4, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6, 7, 8, 8.5, 9, 9.5 }
  local ticks = {}
  for power = math.floor(math.log(low, 10)), math.ceil(math.log(high, 10)) do
    for _, factor in ipairs(factors) do
      local tick = factor * 10.0 ^ power
      if tick >= low * 0.9999 and tick <= high * 1.0001 then ticks[#ticks + 1] = tick end
    end
  end
  return ticks
end

local function tick_text(value)
  if value >= 10000 then
    return (("%.0f"):format(value):reverse():gsub("(%d%d%d)", "%1 "):reverse():gsub("^ ", ""))
  end
  return ("%.4g"):format(value)
end

-- From a value to a place: kind "linear" or "log", values low..high on pixels from..to.
function svg.axis(kind, low, high, from, to)
  local function at(value)
    local share = kind == "log" and math.log(value / low) / math.log(high / low)
      or (value - low) / (high - low)
    return from + share * (to - from)
  end
  return {
    at = at,
    kind = kind,
    low = low,
    high = high,
    ticks = kind == "log" and log_ticks(low, high) or linear_ticks(low, high),
    text = tick_text,
  }
end

-- A legend of { name, color, dash } in rows from a place, no wider than told; returns its height.
function svg.legend(picture, entries, x, y, width)
  local at_x, at_y = x, y
  for _, entry in ipairs(entries) do
    local room = 26 + svg.width(entry.name, 12) + 14
    if at_x > x and at_x + room > x + width then at_x, at_y = x, at_y + 20 end
    if entry.is_line then
      picture.curve({ { at_x, at_y - 4 }, { at_x + 20, at_y - 4 } }, entry.color, entry.dash)
    else
      picture.rect(at_x + 4, at_y - 10, 12, 12, entry.color)
    end
    picture.text(at_x + 26, at_y, entry.name)
    at_x = at_x + room
  end
  return at_y - y + 20
end

return svg
