-- words.lua: every name that the manual promises is there, or is known to come later.
--
-- A name that is neither is a hole; one that is there and still listed as later is a lie.
local promised = {
  graph = "load generate families",
  Graph = "arrays propagate node nodes where groups cells stats topo critical_path save",
  Set = "each map sum by top inputs outputs move prio fuse unfuse pin unpin show hide describe",
  Node = "name op device prio cost memory bytes start finish slack entropy group cluster cost_on",
  cluster = "preset load",
  Cluster = "devices link",
  Device = "memory",
  Link = "bandwidth",
  plan = "single random expert metis heft tf load",
  Plan = "copy save check",
  policy = "load list get register external observe settings train trainer networks film",
  Policy = "decide",
  State = "devices free_at inputs_at fits observe",
  sim = "run",
  Run = "makespan valid why totals idle memory critical_path bounds trace",
  Diff = "delta moved matrix why revert try changes csv show report",
  view = "open select zoom color layout group expand collapse hide timeline time lanes mark marks "
    .. "unmark snapshot recall save",
  Run = "makespan valid why totals idle memory critical_path bounds trace decisions least_sure",
  Decisions = "levels stops spans find save",
  Moment = "number path task node nodes row had chosen score options probabilities entropy key "
    .. "start finish before after temperature attended note span text plan continue",
  Diff = "delta moved matrix why show report",
  view = "open select zoom color layout group expand collapse hide timeline time moment lanes mark "
    .. "marks unmark snapshot recall save",
  scene = "add go list move next previous remove text update",
  measure = "run",
  Measurement = "plans ops text csv json provisional note cluster graph single latency",
  bench = "run new suites",
  Bench = "step rows table means text csv json",
  array = "zeros range save load",
  Array = "exp log abs sqrt floor min max clamp lt le gt ge eq ne sum mean std argmin argmax "
    .. "quantile median count cumsum sort argsort take add_at by where list save",
  Table = "columns values array choose filter sort add map group join wide summary compare "
    .. "crossover text markdown latex csv json",
  statistics = "geometric summary t_quantile sign_test wilcoxon",
  records = "parse",
  compare = "runs policies show close pair swap mode unchanged threshold sync scales lanes state",
  job = "train trainings list",
  Trainer = "update rollouts evaluate save net curve trials csv close output policy step warning",
  Job = "pause resume stop wait curve trials best net csv report title what fraction left state "
    .. "output",
  app = "open save_session notes undo redo device link pinned log save_script reset "
    .. "version use_network",
  ui = "slider choice button clear",
  Control = "set remove id name value",
  plot = "lines bars scatter histogram heat",
  Picture = "save",
  Plot = "save csv kind points title",
  _G = "g p r sel _ out help apropos pp time describe compare plot show sweep range records",
}

local later = {}

-- The globals of the session are there once a run is shown, the last result at a prompt.
app.open(arg[1])
view.show(sim.run(plan.heft(g)))
_ = 1

local wrong = {}
for owner, names in pairs(promised) do
  local parts = types()[owner]
  for name in names:gmatch "%S+" do
    local is_there
    if parts then
      is_there = parts.methods[name] ~= nil or parts.fields[name] ~= nil
    else
      is_there = _G[owner][name] ~= nil
    end
    local key = owner .. "." .. name
    if is_there == (later[key] or false) then wrong[#wrong + 1] = key end
  end
end
table.sort(wrong)
assert(#wrong == 0, "neither there nor known to come later, or both: " .. table.concat(wrong, ", "))

-- The manual's lines that need nothing of later, as they are written there.
local function line(code) return assert(load("return " .. code, code) or load(code, code))() end

line('g = graph.load "' .. app.sample "toy.dot" .. '"')
assert(#line 'g:where{op="MatMul"}:top(10, "cost")' == 3)
p = plan.heft(g)
line "r = sim.run(g, p)"
assert(tostring(r):find "x bound, valid$")
view.show(r)
view.select "text/attention"
assert(line 'sel:move "gpu:1"'.plan:device "text/attention" == "gpu:1")
assert(tostring(line 'r:why("gpu:1", "12.4ms")'):find "^gpu:1 has nothing to do from")
assert(tostring(line "compare(plan.tf(g), p):why()"):find "interaction")
line 'view.color "priority"'
line 'view.color(function(n) return n.entropy end, "viridis")'
line('view.save "' .. arg[2] .. '/figure3.svg"')
