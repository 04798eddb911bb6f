-- lessons.lua: every lesson that comes with the program can be taken from its first step to its
-- last: tasks are open at first and done by the solution, links of texts run, terms are explained.
local t = dofile(arg[0]:gsub("[^/]*$", "support.lua"))

-- What a click on each link of the text does; links to other lessons and steps go there.
local function check_links(step, where)
  for shown, target in step.text:gmatch "%[([^%]]+)%](%b())" do
    target = target:sub(2, -2)
    if not target:find "^term:" and not target:find "^lesson%.open" then
      local fine, why = pcall(lesson.follow, target)
      assert(fine, where .. shown .. ": " .. tostring(why))
    end
  end
end

local n_tasks, n_challenges = 0, 0
for _, l in ipairs(lesson.list()) do
  assert(lesson.open(l.name))
  repeat
    local c = lesson.current()
    local step = c.steps[c.step]
    local where = ("%s, step %d: "):format(c.name, c.step)
    if step.check then
      n_tasks = n_tasks + 1
      local met, why = lesson.check()
      assert(not met, where .. "the task is done at first")
      assert(type(why) == "string" and not why:find "%.md" and not why:find "step %d", where .. why)
      assert(not lesson.current().done)
      assert(lesson.solve() == true, where .. lesson.current().message)
      assert(lesson.current().done)
      assert(lesson.hint(), where .. "there is no hint")
    end
    if step.answers then
      local wrong = step.right % #step.answers + 1
      assert(not lesson.answer(wrong) and not lesson.current().done)
      assert(lesson.answer(step.right) and lesson.current().done)
      assert(#step.explanation > 20, where .. "the answer is not explained")
    end
    check_links(step, where)
    if step.rivals then
      n_challenges = n_challenges + 1
      local n = #job.trainings()
      local points = lesson.score()
      assert(#job.trainings() == n, "rivals learn out of sight")
      assert(points >= 0 and points < 100)
      assert(not lesson.current().message:find "go-zeroshot", "rivals are hidden at first")
      assert(lesson.reveal() == points and lesson.current().message:find "go%-zeroshot")
    end
  until not lesson.next()
end
assert(n_tasks >= 10 and n_challenges >= 2)

-- A challenge is won by the best rival's plan, and edits are counted.
assert(lesson.open "challenge-1-fan")
g:nodes{ "branch7/conv", "branch8/conv" }:move "gpu:1"
assert(lesson.score() == 100 and lesson.current().done)
assert(lesson.current().message:find "edits: 1, undone: 0")
app.undo()
assert(lesson.score() < 100 and lesson.current().message:find "edits: 1, undone: 1")

-- A step of a lesson can be opened at once, in the state that those before lead to.
assert(lesson.open("fusion", 4) and r.plan.kernels < g.n_nodes)
assert(lesson.previous() and lesson.current().step == 3 and r.plan.kernels == g.n_nodes)
assert(lesson.term "Makespan":find "finish" and lesson.term "nonsense" == nil)
lesson.close()
assert(lesson.current() == nil and not pcall(lesson.check))
t.fails("there is no lesson", lesson.open "gradient")
