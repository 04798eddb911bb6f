-- charts.lua: the two charts of the experiments, as SVG: bars in groups, and curves of searches.
local svg = dofile "lib/svg.lua"

local charts = {}

local LEFT, RIGHT, TOP = 76, 24, 62

-- Values with some air, and round where they are ratios about 1.
local function range(values, kind, must)
  local low, high
  for _, value in ipairs(values) do
    low, high = math.min(low or value, value), math.max(high or value, value)
  end
  if not low then return 0.5, 2 end
  if must then low, high = math.min(low, must), math.max(high, must) end
  if kind == "log" then
    if must then low, high = math.min(low, must / 1.1), math.max(high, must * 1.1) end
    local air = math.max((high / low) ^ 0.06, 1.03)
    return low / air, high * air
  end
  if high == low then high = low + 1 end
  local air = (high - low) * 0.06
  return math.max(low - air, low >= 0 and 0 or -math.huge), high + air
end

local function new_picture(chart, width, height)
  local picture = svg.new(width, height, chart.mark or "chart")
  picture.text(16, 28, chart.title, { size = 17, bold = true })
  if chart.subtitle then picture.text(16, 47, chart.subtitle, { size = 12, color = svg.FAINT }) end
  return picture
end

local function draw_y(picture, axis, label, left, right, middle)
  for _, tick in ipairs(axis.ticks) do
    local y = axis.at(tick)
    picture.line(left, y, right, y, svg.GRID)
    picture.text(left - 8, y + 4, axis.text(tick), { anchor = "end", size = 11, color = svg.FAINT })
  end
  picture.text(20, middle, label, { anchor = "middle", turn = -90, size = 12 })
end

-- --- bars ----------------------------------------------------------------------------------------

-- Groups without room for their names side by side have them on a slope.
local function draw_names(picture, groups, left, step, y)
  local widest = 0
  for _, group in ipairs(groups) do widest = math.max(widest, svg.width(group, 11)) end
  local is_sloped = widest > step - 4
  for i, group in ipairs(groups) do
    local x = left + (i - 0.5) * step
    picture.text(is_sloped and x + 4 or x, y + 16, group,
      { size = 11, anchor = is_sloped and "end" or "middle", turn = is_sloped and -35 })
  end
end

-- What lies below the bars: names on a slope are deeper.
local function names_height(groups, step)
  local widest = 0
  for _, group in ipairs(groups) do widest = math.max(widest, svg.width(group, 11)) end
  return widest > step - 4 and 24 + widest * 0.58 or 30
end

-- The bars of a name, one for each item: of(item) is its value, low, high and note.
function charts.series(name, items, of)
  local one = { name = name, values = {}, low = {}, high = {}, note = {} }
  for i, item in ipairs(items) do
    one.values[i], one.low[i], one.high[i], one.note[i] = of(item)
  end
  return one
end

-- chart: mark, title, subtitle, y_label, kind ("log" or "linear"), groups (names), series: a list
-- of { name, values (by group's place), low, high (likewise, drawn as a whisker), note (by place)
-- }; base: where bars begin (1 for ratios). A bar without a value has its note there instead,
-- upright.
function charts.bars(chart)
  local kind, base = chart.kind or "linear", chart.base or 0
  local n_series, n_groups = #chart.series, #chart.groups
  local bar = math.max(6, math.min(26, 760 / math.max(n_series * n_groups, 1)))
  local step = math.max(n_series * bar + 14, 44)
  local width = math.max(LEFT + RIGHT + step * n_groups, 640)
  step = (width - LEFT - RIGHT) / n_groups
  local plot_height, below = 300, names_height(chart.groups, step)
  local values = {}
  for _, one in ipairs(chart.series) do
    for i = 1, n_groups do
      for _, value in ipairs{ one.values[i] or base, one.low and one.low[i] or nil,
        one.high and one.high[i] or nil } do
        values[#values + 1] = value
      end
    end
  end
  local low, high = range(values, kind, base)
  if kind == "linear" and base == 0 then low = math.min(low, 0) end

  local entries = {}
  for i, one in ipairs(chart.series) do entries[i] = { name = one.name, color = svg.color(i) } end
  local legend_rows, room = 1, 0
  for _, entry in ipairs(entries) do
    local need = 40 + svg.width(entry.name, 12)
    if room > 0 and room + need > width - LEFT - RIGHT then
      legend_rows, room = legend_rows + 1, 0
    end
    room = room + need
  end

  local bottom = TOP + plot_height
  local picture = new_picture(chart, width, bottom + below + legend_rows * 20 + 24)
  local axis = svg.axis(kind, low, high, bottom, TOP)
  draw_y(picture, axis, chart.y_label, LEFT, width - RIGHT, (TOP + bottom) / 2)

  local air = (step - n_series * bar) / 2
  for s, one in ipairs(chart.series) do
    for i = 1, n_groups do
      local x = LEFT + (i - 1) * step + air + (s - 1) * bar
      local value, middle = one.values[i], x + bar / 2
      if value then
        local y, y0 = axis.at(value), axis.at(base)
        picture.rect(x + 0.5, math.min(y, y0), bar - 1, math.max(math.abs(y - y0), 0.5),
          svg.color(s),
          ("%s, %s: %.4g"):format(chart.groups[i], one.name, value))
        if one.low and one.low[i] and one.high[i] > one.low[i] then
          picture.line(middle, axis.at(one.low[i]), middle, axis.at(one.high[i]), svg.INK)
        end
      elseif one.note and one.note[i] then
        picture.text(middle + 3.5, axis.at(base) - 4, one.note[i],
          { size = 9, color = svg.color(s), turn = -90 })
      end
    end
  end
  picture.line(LEFT, axis.at(base), width - RIGHT, axis.at(base), svg.INK)
  draw_names(picture, chart.groups, LEFT, step, bottom)
  svg.legend(picture, entries, LEFT, bottom + below + 18, width - LEFT - RIGHT)
  return picture.finish()
end

-- --- curves --------------------------------------------------------------------------------------

local function draw_x(picture, axis, label, top, bottom, middle)
  for _, tick in ipairs(axis.ticks) do
    local x = axis.at(tick)
    picture.line(x, top, x, bottom, svg.GRID)
    picture.text(x, bottom + 16, axis.text(tick),
      { anchor = "middle", size = 11, color = svg.FAINT })
  end
  picture.text(middle, bottom + 36, label, { anchor = "middle", size = 12 })
end

-- A best so far stays until it is bettered: stairs.
local function stairs(points, x_axis, y_axis)
  local out = {}
  for i, point in ipairs(points) do
    local x, y = x_axis.at(math.max(point[1], x_axis.low)), y_axis.at(point[2])
    if i > 1 then out[#out + 1] = { x, out[#out][2] } end
    out[#out + 1] = { x, y }
  end
  return out
end

-- The series of a measured cell, in ms; nil where its improvements are not known.
function charts.curve_of(name, cell)
  if not cell or not cell.improvements or #cell.improvements == 0 then return end
  local points = {}
  for i, step in ipairs(cell.improvements) do
    points[i] = { step.evaluation, step.makespan * 1e3 }
  end
  points[#points + 1] = { math.max(cell.evaluations, points[#points][1]), points[#points][2] }
  return { name = name, points = points }
end

-- chart: mark, title, subtitle, x_label, y_label, x_kind, y_kind, series: a list of { name, points
-- }, a point being { evaluations, best so far }; levels: a list of { name, value }, drawn across.
function charts.curves(chart)
  local width = 860
  local names = 0
  for _, list in ipairs{ chart.series, chart.levels or {} } do
    for _, one in ipairs(list) do names = names + 40 + svg.width(one.name, 12) end
  end
  local height = 400 + 20 * math.ceil(names / (width - LEFT - RIGHT))
  local xs, ys = {}, {}
  for _, one in ipairs(chart.series) do
    for _, point in ipairs(one.points) do
      xs[#xs + 1], ys[#ys + 1] = math.max(point[1], 1), point[2]
    end
  end
  for _, level in ipairs(chart.levels or {}) do ys[#ys + 1] = level.value end

  local left, right, bottom = LEFT, width - RIGHT, 330
  local picture = new_picture(chart, width, height)
  local x_low, x_high = range(xs, chart.x_kind or "log")
  local y_low, y_high = range(ys, chart.y_kind or "linear")
  local x_axis = svg.axis(chart.x_kind or "log", math.max(x_low, 1), x_high, left, right)
  local y_axis = svg.axis(chart.y_kind or "linear", y_low, y_high, bottom, TOP)
  draw_x(picture, x_axis, chart.x_label, TOP, bottom, (left + right) / 2)
  draw_y(picture, y_axis, chart.y_label, left, right, (TOP + bottom) / 2)

  -- The first lies on top.
  local entries = {}
  for i = #chart.series, 1, -1 do
    local one = chart.series[i]
    picture.curve(stairs(one.points, x_axis, y_axis), svg.color(i))
    entries[i] = { name = one.name, color = svg.color(i), is_line = true }
  end
  for i, level in ipairs(chart.levels or {}) do
    local color, y = svg.color(#chart.series + i), y_axis.at(level.value)
    picture.curve({ { left, y }, { right, y } }, color, "6 4")
    entries[#entries + 1] = { name = level.name, color = color, is_line = true, dash = "6 4" }
  end
  picture.line(left, bottom, right, bottom, svg.INK)
  svg.legend(picture, entries, left, bottom + 66, width - LEFT - RIGHT)
  return picture.finish()
end

return charts
