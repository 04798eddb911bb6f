-- place.lua: one plan of one policy, simulated: what benches do not, for clusters and orders of
-- their own.
local place = {}

-- A result for a journal, and the plan. finish(plan), which may be left out, has the last word on
-- it.
function place.run(g, policy_name, opts, finish)
  local started = os.time()
  local plan, why = policy.get(policy_name):decide(g, opts)
  if not plan then return { valid = false, why = why } end
  if finish then plan = finish(plan) end
  local run = assert(sim.run(g, plan, { cluster = opts.cluster }))
  local reason = not run.valid and run:why() or ""
  return {
    valid = run.valid,
    makespan = run.makespan,
    evaluations = opts.evals,
    seconds = os.difftime(os.time(), started),
    why = reason ~= "" and reason or nil,
  }, plan
end

-- All that decides a result, as a key.
function place.key(...)
  return table.concat({ app.version, ... }, " | ")
end

return place
