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

-- No task is done by who goes on from step to step, nor by what has nothing to do with it.
local unrelated = {
  function() view.select(g:nodes():top(1, "cost")) end,
  function() view.color "priority" end,
  function() view.show(sim.run(plan.single(g))) end,
  function() if #compare.state().runs >= 2 then compare.show() end end,
}
for _, l in ipairs(lesson.list()) do
  if not l.challenge then
    assert(lesson.open(l.name))
    repeat
      local c = lesson.current()
      local where = ("%s, step %d: "):format(c.name, c.step)
      if c.steps[c.step].check then
        assert(lesson.check() == false, where .. "done by who only went on")
        for i, act in ipairs(unrelated) do
          act()
          assert(lesson.check() == false, where .. "done by unrelated action " .. i)
        end
      end
    until not lesson.next()
  end
end

-- Tasks ask for what their text says, and for no less.
local function find_task(name, words)
  assert(lesson.open(name))
  repeat
    local c = lesson.current()
    if c.steps[c.step].check and c.steps[c.step].text:find(words, 1, true) then return end
  until not lesson.next()
  error(words)
end
find_task("network", "five ops")
view.show(sim.run(plan.go_zeroshot(g)))
for _, n in ipairs { 4, 6, 11 } do
  view.select(r:least_sure(n))
  assert(lesson.check() == false, n .. " are not five")
end
view.select(r:least_sure(5))
assert(lesson.check() == true)
find_task("ppo", "400")
view.show(sim.run(plan.go_one(g, { evals = 120, seed = 2 })))
assert(r.evals >= 100 and r.evals < 400 and lesson.check() == false)

-- What a lesson does can be done again from the log.
assert(lesson.open("fusion", 4) and lesson.solve())
local log = app.log()
assert(log[#log] == "view.show(sim.run(plan.single(g):fuse_default()))", log[#log])

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
