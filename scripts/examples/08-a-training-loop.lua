-- A training in one's own hands: the loop, the reward and the lessons are this script's.
--
--   goban-cli run scripts/examples/08-a-training-loop.lua [GRAPH [FOLDER]]
--
-- The network learns to build plans of one graph that use few devices: the reward counts both the
-- time of a step and the share of the work on the busiest device.
local g = assert(graph.load(arg[1] or app.sample "toy.dot"))
local folder = arg[2] or "goban-out"
local steps = 6 -- 200 are worth a look

local t = assert(policy.trainer{
  policy = "builder",
  output = folder .. "/few-devices.net",
  settings = "problems=2,rollouts=4,validation=2",
  steps = steps,
  every = 3,
  lessons = function(i) return g, i % 2 == 0 and "p100x4" or "p100x2" end,
  reward = function(r) return -r.time / r.reference + 0.2 * r.top_share end,
})

while true do
  local update, why = t:update()
  if not update then
    assert(not why, why)
    break
  end
  print(("update %d: reward %.3f, entropy %.3f"):format(
    update.step, update.reward, update.entropy))
  if t.warning then print(t.warning) end
end
print(("validation: %.3f of contiguous splits"):format(t:evaluate().valid_best))
print("wrote " .. assert(t:net()).file)
print("wrote " .. assert(plot(t):save(folder .. "/few-devices.svg")))
t:close()
