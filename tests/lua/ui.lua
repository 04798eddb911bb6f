-- ui.lua: controls without a window: the first value at once, and others by s:set().
local t = dofile "support.lua"

local seen = {}
local function note(value) seen[#seen + 1] = value end
local s = ui.slider("GB/s", 1, 100, 12, note)
assert(s.value == 12 and s.name == "GB/s" and tostring(s) == "Slider GB/s: 12")
assert(s:set(30):set(500).value == 100 and s:set(100).value == 100)
assert(table.concat(seen, " ") == "12 30 100", table.concat(seen, " "))

-- A control of the same name takes its place; the old one is gone.
local again = ui.slider{ name = "GB/s", min = 0.5, max = 1, on_change = note }
assert(again.value == 0.5 and s.value == nil)
t.raises("has been removed", s.set, s, 3)

local c = ui.choice("policy", { "heft", "metis" }, note)
assert(c.value == "heft" and c:set("metis").value == "metis" and seen[#seen] == "metis")
t.raises("there is no 'best'; there are: heft metis", c.set, c, "best")
local pressed = 0
local b = ui.button("Go", function() pressed = pressed + 1 end)
assert(pressed == 0)
b:set():set()
assert(pressed == 2)

-- A function that sets another control runs that one's, too, once.
local total = 0
local second = ui.slider("second", 0, 10, 0, function(v) total = total + v end)
ui.slider("first", 0, 10, 1, function(v) second:set(v) end):set(3)
assert(total == 4)

-- An error says where; the next value runs all the same.
local fails = ui.slider("fails", 0, 3, 0, function(v) assert(v ~= 2, "two is wrong") note(v) end)
t.raises("two is wrong", fails.set, fails, 2)
assert(fails:set(3).value == 3 and seen[#seen] == 3)

t.raises("opts.name: string expected", ui.slider, { min = 1, max = 2 })
t.raises("opts.min is less than", ui.slider, "x", 2, 1)
t.raises("there is no opts.mx; there are: max, min, name", ui.slider, { name = "x", mx = 1 })
t.raises("opts.value is none of", ui.choice, { name = "x", choices = { "a" }, value = "b" })
c:remove()
assert(c.value == nil)
ui.clear()
assert(again.value == nil and tostring(b) == "Control, removed")

-- More controls than anybody finds are refused; one of the same name takes the place of the other.
ui.clear()
for i = 1, 1000 do ui.button("b" .. i, print) end
t.raises("there are 1000 controls.*ui.clear", ui.slider, "one more", 0, 1)
t.raises("there are 1000 controls", ui.slider, "b1", 0, 1)
assert(ui.button("b1", print).name == "b1")
ui.clear()
assert(ui.slider("one more", 0, 1).value == 0)
ui.clear()
