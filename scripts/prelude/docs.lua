-- docs.lua: a row for everything a script can call: signature, one sentence, one example.
-- Rows of fields, and of the methods that edit a plan, stand beside their functions, in app/lua.
--
-- Keys are "module.function", "Type.method", "Type.field" or a global's name. Times are seconds and
-- sizes bytes throughout; a string with a unit does where a number is asked.
local core = ...

local docs = {}
core.docs = docs

local function doc(key, signature, sentence, example)
  docs[key] = { signature = signature, sentence = sentence, example = example }
end

-- --- modules ----------------------------------------------------------------------------------

doc("graph", "graph",
  "Graphs of operations, read from files or generated.",
  'g = graph.load "samples/toy.dot"')
doc("graph.generate", "graph.generate(family or spec, opts)",
  "Makes the graph of a model family; opts are its keys, as graph.families() tells them.",
  'g = graph.generate("gnmt", { layers = 2, granularity = "coarse" })')
doc("graph.collective", "graph.collective(kind, bytes, opts)",
  "The run of a collective operation over the links of a cluster, and a table of figures: kind, "
    .. "algorithm, ranks, ideal (seconds by the formula of the algorithm) and bus_bandwidth. kind: "
    .. "'all-reduce', 'reduce-scatter', 'all-gather', 'all-to-all', 'broadcast' or 'send'; opts: "
    .. "algorithm ('ring' or 'tree' of all-reduce), ranks (all devices but CPUs), cluster.",
  'r, figures = graph.collective("all-reduce", "100MB", { cluster = "p100x4" })')
doc("graph.families", "graph.families()",
  "The families of generated graphs: name, blurb, source, knobs.",
  "pp(graph.families())")
doc("graph.load", "graph.load(path or spec, opts)",
  "Reads a graph, or makes that of a spec such as rnnlm:layers=2; opts: format, batch, "
    .. "time_unit, with_backward, training, keep_constants.",
  'g = assert(graph.load("model.onnx", { batch = 8 }))')

doc("cluster", "cluster", "Devices and the links between them.", 'c = cluster.preset "p100x4"')
doc("cluster.preset", "cluster.preset(name)",
  "A cluster by name, or equal:N[,bandwidth=B/s][,latency=s].", 'c = cluster.preset "equal:4"')
doc("cluster.load", "cluster.load(path)", "Reads a cluster from a JSON file.",
  'c = cluster.load "lab.json"')
doc("cluster.parse", "cluster.parse(json)", "A cluster from the text of such a file.",
  'c = cluster.parse(text)')
doc("cluster.presets", "cluster.presets()", "The presets' names and what they are.",
  "pp(cluster.presets())")

doc("plan", "plan", "Plans: a device and a priority for every node; one function per policy.",
  "p = plan.heft(g)")
doc("plan.new", "plan.new(g, cluster)", "A plan of everything on the first device, to be edited.",
  'p = plan.new(g):move("enc/lstm", "gpu:1")')
doc("plan.load", "plan.load(path, g, cluster)",
  "Reads a plan made for a graph, the open one if none is said.",
  'p = plan.load "best.json"')
doc("plan.recorded", "plan.recorded(g, opts)",
  "Of a graph of a recorded run: each op on its lane, in the recorded order.",
  "view.show(sim.run(plan.recorded(g)))")
doc("plan.single", "plan.single(g, device, cluster)",
  "Everything on one device; the policy chooses which where none is said.",
  'p = plan.single(g, "gpu:0")')

doc("policy", "policy", "Policies by name, also your own.", 'p = policy.get "heft":decide(g)')
doc("policy.list", "policy.list()",
  "All policies: name, blurb, about, source, effort (quick, search, learned) and how many "
    .. "evals they take.",
  "pp(policy.list())")
doc("policy.get", "policy.get(name)", "A policy that can decide.", 'policy.get "metis":decide(g)')
doc("policy.register", "policy.register(name, f or policy)",
  "Adds a policy to the Place menu, the palette, plan.NAME, compare and bench. f(node, state) "
    .. "returns a device and is called once per node in topological order. A table has step, which "
    .. "is such an f; or propose(plan, search), which returns a changed plan, with "
    .. "accept(after, before, search), start(search) and evals; and blurb, a line for menus.",
  'policy.register("first", function(node, state) return state.devices[1] end)')

doc("sim", "sim", "Simulates plans.", "r = sim.run(g, p)")
doc("sim.run", "sim.run(g, plan, cluster or opts)",
  "Simulates a plan, on its own cluster unless told; opts: cluster, name, contention_free, model.",
  "print(sim.run(g, p).makespan * 1e3)")

doc("bench", "bench",
  "Policies measured on suites of graphs.",
  'print(bench.run{ suite = "quick" }:text())')
doc("bench.run", "bench.run(opts)",
  "Measures policies on a suite, graph by graph; opts: suite, policies, graphs (a pattern), "
    .. "task (placement, joint), tasks (what GO decides: placement, scheduling, fusion or all), "
    .. "fusion (none, default), seed, seeds, evals, seconds, network and settings (of learned "
    .. "policies), journal (a file to go on with), on_row (called with each row and the bench).",
  'b = bench.run{ suite = "quick", policies = { "heft", "metis" }, seeds = 3 }')
doc("bench.new", "bench.new(opts)", "The same without a graph measured yet, for b:step().",
  'b = bench.new{ suite = "go14", graphs = "gnmt" }')
doc("measure", "measure", "Plans of ONNX models, run on this machine's cores by ONNX Runtime.",
  'm = assert(measure.run{ model = "samples/inception-v3.onnx", policies = { "heft", "single" } })')
doc("measure.run", "measure.run(opts)",
  "Measures what ops and hand-overs take, has policies plan with that, and runs the plans; opts: "
    .. "model (a path), policies, plans (paths, runs or places in the list), cores (2), runs (25; "
    .. "up to four times as many if their times still change), batch, seed, evals, "
    .. "seconds, force (even if the machine is busy), folder (for all results). The library is "
    .. "where the variable GOBAN_ONNXRUNTIME says, or installed.",
  'm = measure.run{ model = "samples/inception-v3.onnx", policies = { "heft" }, cores = 2 }')
doc("bench.suites", "bench.suites()",
  "The suites that come with the program.",
  "pp(bench.suites())")

doc("compare", "compare(a, b, ...)",
  "Runs or plans side by side.",
  "compare(plan.single(g), plan.heft(g))")
doc("compare.policies", "compare.policies(g, names, opts)",
  "Places a graph with several policies, everything on one device among them; opts: cluster, "
    .. "seed, evals, seconds, tasks.",
  'print(compare.policies(g, { "heft", "metis" }):table())')
doc("compare.listed", "compare.listed(n)",
  "The run at that place of the list.",
  "compare.listed(1)")
doc("compare.try", "compare.try(a, b, kind, set, label)",
  "Adds b with the nodes of the set as in a: moved, fused, prioritised, order or transfers; "
    .. "runs or their places in the list.",
  'compare.try(1, 2, "moved", g:nodes{"conv1"}, "the first")')
doc("compare.runs", "compare.runs(a, b, ...)", "The same as compare(), for runs alone.",
  "compare.runs(r1, r2)")
doc("compare.show", "compare.show(a, b, ...)",
  "Puts two to four plans of the list beside each other, runs or their places in it, from 1; "
    .. "the first is what the others are measured by. Nothing: those of before, else the current "
    .. "plan and the best other one.",
  "compare.show(1, 2)")
doc("compare.close", "compare.close()", "Goes back to one plan.", "compare.close()")
doc("compare.pair", "compare.pair(i, j)",
  "Of more than two that are compared, the two that differences are of: the i-th and the j-th.",
  "compare.pair(1, 3)")
doc("compare.swap", "compare.swap()",
  "The two that differences are of change places.",
  "compare.swap()")
doc("compare.mode", "compare.mode(how)",
  'How plans are beside each other: "side" by side, "overlay" in one picture, "blink" from '
    .. 'one to the other, or the "difference" only.',
  'compare.mode "overlay"')
doc("compare.unchanged", "compare.unchanged(how)",
  'What becomes of nodes that both plans have alike: "show", "dim" or "hide".',
  'compare.unchanged "hide"')
doc("compare.threshold", "compare.threshold(t)",
  "From when on a change of a node's time counts as one.",
  'compare.threshold "1ms"')
doc("compare.sync", "compare.sync{view=, time=, selection=}",
  "What the panes share: where one looks, the moment that is shown, what is selected; each "
    .. "true or false, and what is not said stays.",
  "compare.sync{ view = false }")
doc("compare.scales", "compare.scales(whose)",
  'Numbers that fill nodes have one "common" scale for all plans that are compared, or each '
    .. 'plan its "own".',
  'compare.scales "own"')
doc("compare.lanes", "compare.lanes(which)",
  'The timeline of two plans has lanes of "devices" alone, or "all": links and memory, too.',
  'compare.lanes "all"')
doc("compare.devices", "compare.devices(which)",
  'Exchangeable devices of compared plans are "matched" to those of the first, or each plan has '
    .. 'its "own".',
  'compare.devices "own"')
doc("compare.state", "compare.state()",
  "How plans are compared now: open, runs, pair, mode, unchanged, threshold, scales, lanes, "
    .. "devices, sync.",
  "pp(compare.state())")

doc("view", "view", "What the window shows, and pictures as files.", "view.open(g)")
doc("view.open", "view.open(g, path)",
  "Opens a graph; runs and selection are forgotten. The window offers to restore changes that "
    .. "were not saved.",
  "view.open(g)")
doc("view.select", "view.select(set or node)", "Selects nodes; nothing: none.",
  'view.select(g:where{ op = "Conv" })')
doc("view.zoom", "view.zoom(what)", 'Goes to "fit", which is everything, or to the "selection".',
  'view.zoom "selection"')
doc("view.color", "view.color(field or function, opts)",
  'Colours nodes by "device", "op", "priority" or any field that is a number: cost, mem, '
    .. 'bytes, start, slack, entropy and the others of a node. Or by a function that is asked of '
    .. 'every node for a number, nil where it has none; opts: name, unit ("s" or "B"), palette '
    .. '("viridis"). "script" shows again what a function found.',
  'view.color(function(n) return n.finish - n.ready end, { name = "time in all", unit = "s" })')
doc("view.hide", "view.hide(set or node)",
  "Hides these nodes and no others; nothing: all are shown.",
  'view.hide(g:where{ op = "Const" })')
doc("view.group", "view.group(how)",
  'Puts nodes together by "scope", "layer" or "step" of their names; by the "parameter" that '
    .. 'they work for; by its first, second, ... "use"; by "cluster" (what is fused); or "none". '
    .. '"auto": a large graph by scope, or by parameter if names have no scopes.',
  'view.group "layer"')
doc("view.expand", "view.expand(group)",
  "Opens the group of that name.",
  'view.expand "decoder/layer_1"')
doc("view.collapse", "view.collapse(group)", "Closes it.", 'view.collapse "decoder"')
doc("view.expanded", "view.expanded(names)",
  "The names of the open groups; with a list, opens these and no others.",
  'view.expanded{ "decoder", "decoder/layer_1" }')
doc("view.layout", "view.layout(how)",
  'Puts nodes in layers: "layered", "wrapped" into columns, or "auto", the better of the two; '
    .. 'or into "lanes" by time and device.',
  'view.layout "lanes"')
doc("view.lanes", "view.lanes{pinned=, hidden=, order=}",
  'Which lanes of the timeline stay at the top, are not shown, and come first, as lists of '
    .. 'names such as "gpu:0", "gpu:0/memory" and "gpu:0>gpu:1"; a list that is not there is '
    .. 'empty. Nothing: what they are now.',
  'view.lanes{ pinned = { "gpu:0" }, hidden = { "gpu:0/memory" } }')
doc("view.mark", "view.mark(t, name)",
  "Marks a time of the timeline, or gives the mark there another name; without a name, the "
    .. "first letter that is free.",
  'view.mark("1.5ms", "warm-up")')
doc("view.marks", "view.marks()", "The marks of the timeline by time, as a list of { time, name }.",
  "pp(view.marks())")
doc("view.unmark", "view.unmark(t or name)",
  "Takes a mark of the timeline away; nothing: all of them.",
  'view.unmark "warm-up"')
doc("view.time", "view.time(t or name)",
  "Shows what waits, runs and is done at that time of the run, or at the mark of that name; "
    .. "nothing: no time.",
  'view.time "1.5ms"')
doc("view.event", "view.event(n, device)",
  "Shows the moment n events later, or earlier if n is negative; of a device, only what starts or "
    .. "finishes there. True if there is one.",
  'view.event(1, "gpu:0")')
doc("view.snapshot", "view.snapshot(n)",
  "Keeps how the graph is looked at as bookmark 1 to 9: what is in sight, colour, groups and "
    .. "layout.",
  "view.snapshot(1)")
doc("view.recall", "view.recall(n)", "Goes back to a bookmark.", "view.recall(1)")
doc("view.remove", "view.remove(run or place)", "Takes a run off the list.", "view.remove(r)")
doc("view.show", "view.show(run, list of runs or place)",
  "Makes a run the current one, and adds it to the list: of a list of runs, all as one change, "
    .. "the best; or the run at that place, from 1. One of the model of a derived graph goes back.",
  "view.show(sim.run(g, p))")
doc("view.derive", "view.derive(run, figures)",
  "Opens the graph of a run that was made from the open one, such as that of a pipeline, with the "
    .. "run. Undo brings the open one back as it was, and so does view.back. Figures, which "
    .. "g:pipeline and others return besides, change nothing.",
  'view.derive(assert(g:pipeline{ micro_batches = 4 }))')
doc("view.back", "view.back()",
  "From a graph that view.derive has opened to the one it was made from; whether there was one.",
  "view.back()")
doc("view.step", "view.step(n)",
  "Shows the plan after n of the decisions that led to the run that is shown; nothing: the "
    .. "run's own plan.",
  "view.step(12)")
doc("view.timeline", "view.timeline(run)",
  "The same as view.show: the timeline shows the current run.",
  "view.timeline(r)")
doc("view.film",
  "view.film(path, {runs=, steps=, training=, seconds=, fps=, width=, height=, theme=})",
  "Films the shown run, its steps, a list of runs, or the plans of the open graph by the networks "
    .. "that a training kept (training, the file of its network): .gif or .webm by ffmpeg, or "
    .. ".apng.",
  'view.film("talk.apng", { steps = true })')
doc("view.save", "view.save(path, opts)",
  "Writes a picture as .svg, .png or .pdf, or the nodes as .csv; opts: view (graph, "
    .. "timeline), run, graph, color, theme, critical, width, height, scale, transparent, "
    .. "histogram, region ({x0, y0, x1, y1} of the graph's plane), from, to.",
  'view.save("timeline.svg", { view = "timeline", run = r })')
doc("view.share", "view.share(path)",
  "Writes one HTML file with all plans, that any browser shows without a network.",
  'view.share "plans.html"')

doc("scene", "scene", "Scenes of a talk: caption, plan, moment, view and comparison.",
  "scene.next()")
doc("scene.add", "scene.add{text=, at=}", "Makes a scene of what is shown. Its number.",
  'scene.add{ text = "HEFT leaves gpu:1 idle" }')
doc("scene.go", "scene.go(n)", "Shows a scene.", "scene.go(1)")
doc("scene.list", "scene.list()", "A list of { text, plan, time, step, compare, current }.",
  "scene.list()")
doc("scene.move", "scene.move(n, to)", "Gives a scene another place.", "scene.move(3, 1)")
doc("scene.next", "scene.next()", "The next scene; false after the last.", "scene.next()")
doc("scene.previous", "scene.previous()", "The one before, or false.", "scene.previous()")
doc("scene.remove", "scene.remove(n)", "Removes scene n, or the current one and shows the next.",
  "scene.remove(2)")
doc("scene.text", "scene.text(n, text)", "Changes a caption.", 'scene.text(1, "The expert")')
doc("scene.update", "scene.update(n)", "Makes scene n what is shown now.", "scene.update(1)")
doc("lesson", "lesson",
  "Lessons and challenges: files of text, questions and tasks; the window shows the open one.",
  "lesson.open(1)")
doc("lesson.list", "lesson.list()",
  "All lessons: name, title, minutes, steps and challenge, a list.",
  "pp(lesson.list())")
doc("lesson.open", "lesson.open(name, step)",
  "Opens a lesson by name, number or path of an .md file, and sets up what the step begins with.",
  "lesson.open(4, 2)")
doc("lesson.close", "lesson.close()", "Closes the lesson.", "lesson.close()")
doc("lesson.current", "lesson.current()",
  "The open lesson: name, title, step, done, revealed, message and steps; nil without one.",
  "lesson.current().steps[1].text")
doc("lesson.file", "lesson.file(name)", "The path of a file that lies beside the open lesson.",
  'app.open(lesson.file "fan.dot")')
doc("lesson.next", "lesson.next()", "Goes to the next step; false after the last.", "lesson.next()")
doc("lesson.previous", "lesson.previous()", "Goes to the step before; false before the first.",
  "lesson.previous()")
doc("lesson.reset", "lesson.reset()", "Begins the step again.", "lesson.reset()")
doc("lesson.answer", "lesson.answer(i)",
  "Answers the step's question: whether that is right, and why.",
  "lesson.answer(2)")
doc("lesson.check", "lesson.check()", "Whether the step's task is done; else also what is missing.",
  "lesson.check()")
doc("lesson.term", "lesson.term(name)",
  "What a term of the glossary means, and a list of related ones; nil if there is no such term.",
  'lesson.term "upward rank"')
doc("lesson.hint", "lesson.hint()", "The next hint; nil after the last.", "lesson.hint()")
doc("lesson.solve", "lesson.solve()", "Does the step's task.", "lesson.solve()")
doc("lesson.score", "lesson.score()",
  "The points of the plan in a challenge: 100 for the best rival's makespan, 0 for the worst's.",
  "lesson.score()")
doc("lesson.reveal", "lesson.reveal()", "Shows the rivals of a challenge.", "lesson.reveal()")
doc("lesson.follow", "lesson.follow(link)", "Runs a link of the lesson's text.",
  'lesson.follow "#3"')

doc("app", "app",
  "The program itself, and files. Scripts write files, and read them as text, in their own "
    .. "folder and those that were chosen: headless the working folder and what the command line "
    .. "names (goban-cli run --trust lifts this), in the window those of the graph and the session "
    .. "that you opened or saved, those that you chose in its dialogs to save or export something, "
    .. "and goban-out.",
  "app.version")
doc("app.version", "app.version", "The program's version.", "print(app.version)")
doc("app.open", "app.open(path, opts)",
  "Loads a graph or a session file and opens it; returns the graph.",
  'app.open "samples/toy.dot"')
doc("app.save_session", "app.save_session(path)",
  "Saves the session: the graph's name, all plans, pins, view and notes. Returns nil and the "
    .. "reason if another program has changed its file meanwhile.",
  'app.save_session "toy.goban"')
doc("app.open_session", "app.open_session(path)",
  "Opens a session file; app.open does for whatever it is.",
  'app.open_session "toy.goban"')
doc("app.is_session", "app.is_session(path)",
  "Whether a file is a session.",
  'app.is_session "toy.goban"')
doc("app.notes", "app.notes(text)",
  "What is written down about the session; with a text, what is to be. The session file keeps it.",
  'app.notes "heft wins by its transfers"')
doc("app.cluster", "app.cluster(cluster)",
  "The session's cluster; with an argument, its new one, on which all plans are simulated again.",
  'app.cluster "p100x8"')
doc("app.device", "app.device(device, numbers)",
  "Changes a device of the session's cluster: speed (times that of the cluster it began as), "
    .. "flops, bandwidth, mem, launch, a change each; with alike = true all that were like it in "
    .. "that cluster too. All plans are simulated again.",
  'app.device("gpu:1", { flops = 5e12, mem = "8GB" })')
doc("app.link", "app.link(a, b, numbers)",
  "Changes what joins two devices or switches, both ways: bandwidth, latency; with alike = "
    .. "true all links that were like it.",
  'app.link("gpu:0", "gpu:1", { bandwidth = "10GB", latency = "5us" })')
doc("app.pinned", "app.pinned()", "The nodes that are pinned, a set.", "app.pinned():unpin()")
doc("app.log", "app.log()",
  "What has been done, as lines of Lua that do it again.",
  "pp(app.log())")
doc("app.quit", "app.quit()", "Leaves the program.", "app.quit()")
doc("app.undo", "app.undo()",
  "Takes the last change back: plans, cluster and pins are as before it; returns its name, or nil.",
  "app.undo()")
doc("app.redo", "app.redo()",
  "Makes the change again that was undone last; returns its name, or nil.",
  "app.redo()")
doc("app.save_script", "app.save_script(path)",
  "Writes what was typed and clicked as a script that does it again, with or without a window.",
  'app.save_script "session.lua"')
doc("app.reset", "app.reset()",
  "Fresh globals: yours are gone, ours are as they were. The session stays.",
  "app.reset()")
doc("app.sample", "app.sample(name)", "The path of a graph that comes with the program.",
  'g = graph.load(app.sample "toy.dot")')
doc("app.mkdir", "app.mkdir(path)", "Makes a folder and those above it; fine where it is there.",
  'app.mkdir "goban-out"')
doc("app.read", "app.read(path)",
  "The text of a file of up to 256 MB, or nil and why not.",
  'app.read "notes.txt"')
doc("app.write", "app.write(path, text)",
  "Writes a text file.",
  'app.write("notes.txt", d:report())')
doc("app.write_csv", "app.write_csv(path, rows)",
  "Writes a list of rows as CSV; rows are lists, or tables whose keys become columns.",
  'app.write_csv("runs.csv", { { name = "heft", ms = 12 } })')

-- --- graphs ------------------------------------------------------------------------------------

doc("Graph", "Graph", "An immutable graph of operations; #g is its number of nodes.", "#g")
doc("Graph.node", "g:node(name or place)",
  "One node, by its name or its place in topological order, from 0.",
  'g:node "conv1".cost')
doc("Graph.nodes", "g:nodes(list)",
  'The set of some nodes by name or by ranges of indices ("0-11,40"), or of all.',
  'g:nodes{ "conv1", "conv2" }')
doc("Graph.where", "g:where(query, run)",
  "The nodes of a query: a text, a function, or a table of fields: a value, a comparison with its "
    .. 'unit (cost = "> 10us", name = "~ dec/.*") or a list; of the current run unless told.',
  [[g:where "cost > 1ms and name ~ 'dec/.*'"]])
doc("Graph.inside", "g:inside(groups, grouping)",
  'The nodes inside one group, or several: by their paths, as g:hierarchy has them. By scope '
    .. 'unless told: layer, step, parameter or use.',
  'g:inside "decoder"')
doc("Graph.groups", "g:groups(depth)",
  "Sets of nodes by the first parts of their names; without a depth, as many parts as give 5 "
    .. "to 40 groups.",
  "pp(g:groups(1))")
doc("Graph.hierarchy", "g:hierarchy(grouping, depth)",
  "Groups within groups, parents first, as a list of tables: path, name, depth, fold, nodes, "
    .. "parent (a path). By auto, cluster, layer, none, parameter, scope, step or use.",
  'for _, group in ipairs(g:hierarchy("scope", 1)) do print(group.path, #group.nodes) end')
doc("Graph.cells", "g:cells{parameters=, uses=}",
  "Rows of nodes by the parameter that they work for and by which use of it, a list of "
    .. "tables: parameter (its name), parameters (how many it stands for), use, uses (rows of the "
    .. "same parameter), nodes. With numbers, at most so many groups of parameters and slots of "
    .. "consecutive uses. Nil and the reason if no op uses a parameter.",
  'for _, row in ipairs(g:cells{ parameters = 8, uses = 4 }) do print(row.parameter, row.use, '
    .. '#row.nodes) end')
doc("Graph.stats", "g:stats()", "Counts and sums: nodes, edges, params, flops, work, ops by type.",
  "g:stats().params")
doc("Graph.topo", "g:topo()",
  "All nodes in topological order.",
  "for n in g:topo():each() do print(n.name) end")
doc("Graph.critical_path", "g:critical_path(run)",
  "The longest path with free transfers on the fastest devices; of a run, what decided its length.",
  'g:critical_path():sum "cost"')
doc("Graph.save", "g:save(path, format)",
  "Writes the graph; the ending tells the format.",
  'g:save "toy.json"')
doc("Graph.training", "g:training(opts)",
  "The training graph of an inference graph; opts: with_params, without_params, state_ratio.",
  "t = g:training()")
doc("Graph.pipeline", "g:pipeline(opts)",
  "The run of a pipeline, of another graph: g cut into stages and repeated for its "
    .. "micro-batches; and a table of its figures: stages, ranks, micro_batches, bubble (the idle "
    .. "share of the ranks' time), uniform_bubble (the same if all stages were alike), csv (its "
    .. "schedule, if no stage has copies), stage_devices (of each stage, if some have copies); of "
    .. "chosen stages also copies (devices of each stage as PipeDream's optimiser plans them), "
    .. "copies_slowest and slowest (their slowest stage). opts: schedule ('gpipe', '1f1b', "
    .. "'pipedream', 'interleaved', 'zero-bubble', 'dualpipe-v', a CSV file of torch.distributed"
    .. ".pipelining, or 'none': whatever is ready), micro_batches (8), stages (one per rank), "
    .. "choose_stages (true: as many as take the least time), copies (true: as planned; or the "
    .. "devices of each stage, { 3, 1 }), ranks (all devices but CPUs), split (true: micro-batches "
    .. "share g's batch), plan (its devices are the stages), cluster.",
  'r, figures = g:pipeline{ schedule = "1f1b", micro_batches = 4 }')
doc("Graph.replicas", "g:replicas(opts)",
  "The run of data-parallel copies of a training graph, which all-reduce their gradients, and a "
    .. "table of figures: replicas, buckets, gradient_bytes. opts: n (as many as fit), split "
    .. "(true: they share g's batch), algorithm ('ring' or 'tree'), bucket (bytes of gradients "
    .. "that travel together; 0: each alone), slowdown (a straggler: the last one's devices take "
    .. "so many times as long), plan (of one replica, which may span several devices), cluster.",
  "r, figures = g:training():replicas{ n = 2, bucket = 25e6 }")
doc("Graph.with_costs", "g:with_costs(path)",
  "A copy with the measured times of a profile of ONNX Runtime or a Chrome trace; its last warning "
    .. "tells what was not found.",
  'view.show(g:with_costs "profile.json")')

doc("Node", "Node", "One operation, in a run or out of one.", 'n = g:node "conv1"')
doc("Node.cost_on", "n:cost_on(device)", "Its time on a device.", 'n:cost_on "gpu:0"')
doc("Node.inputs", "n:inputs()",
  "The nodes it reads from, each once, however many of its tensors it reads; n:in_edges() has them "
    .. "tensor by tensor.",
  "n:inputs()")
doc("Node.outputs", "n:outputs()",
  "The nodes that read from it, each once; n:out_edges() has them tensor by tensor.",
  "n:outputs()")
doc("Node.in_edges", "n:in_edges()",
  "A list of the tensors it reads, n.fan_in of them: node (the producer), bytes, dtype, control "
    .. "(true of an order without data). A tensor that it reads twice is sent, and listed, once.",
  "pp(n:in_edges())")
doc("Node.out_edges", "n:out_edges()",
  "The same of its readers, n.fan_out of them: node, bytes, dtype, control.",
  "pp(n:out_edges())")
doc("Node.describe", "n:describe()", "Everything known of it, as text.", "print(n:describe())")
for name, field in pairs(core.fields) do
  local blurb = field.blurb:sub(1, 1):upper() .. field.blurb:sub(2)
  doc("Node." .. name, "n." .. name, blurb .. (field.needs_run and "; known in a run." or "."),
    'g:nodes():map "' .. name .. '"')
end

doc("Set", "Set",
  "Nodes of a graph, each once: #s, a + b (either), a * b (both), a - b (not in b).",
  'g:where{ op = "Conv" } - sel')
doc("Set.each", "s:each()", "Walks the nodes.", "for n in s:each() do print(n.name) end")
doc("Set.at", "s:at(i)", "The i-th node; negative from the end.", "s:at(1)")
doc("Set.contains", "s:contains(node)", "Whether a node, or the one of that name, is in it.",
  's:contains "conv1"')
doc("Set.map", "s:map(f or field)",
  "A list of what f or the field says of each node.",
  's:map "name"')
doc("Set.sum", "s:sum(field)", "The sum of a field; what is unknown counts as 0.", 's:sum "cost"')
doc("Set.by", "s:by(field)", "A table of sets by the field's value.", 'pp(g:nodes():by "op")')
doc("Set.top", "s:top(n, field)", "The n nodes with the largest values, largest first.",
  'g:nodes():top(10, "cost")')
doc("Set.inputs", "s:inputs(k)",
  "What lies up to k edges before it (1 unless told).",
  "s:inputs(2)")
doc("Set.outputs", "s:outputs(k)",
  "What lies up to k edges behind it (1 unless told).",
  "s:outputs()")
doc("Set.hide", "s:hide()",
  "Hides the nodes, beside what is hidden.",
  'g:where{ op = "Const" }:hide()')
doc("Set.show", "s:show()",
  "Selects the nodes, which are not hidden any more, and goes there.",
  'g:where "cost > 1ms":show()')
doc("Set.describe", "s:describe(limit)", "The nodes as text, a line each.", "print(s:describe())")

-- --- clusters ----------------------------------------------------------------------------------

doc("Cluster", "Cluster",
  "Devices and links, whose numbers can be set; runs made before keep theirs.",
  "c.devices[1].mem")
doc("Cluster.link", "c:link(a, b)", "The way between two devices, in both directions.",
  'c:link("gpu:0", "gpu:1").bandwidth = 25e9')
doc("Cluster.copy", "c:copy()", "A copy to change.", "d = c:copy()")
doc("Cluster.save", "c:save(path)", "Writes the cluster as JSON.", 'c:save "lab.json"')
doc("Device", "Device", "A device of a cluster.", "c.devices[1]")
doc("Link", "Link", "The way between two devices.", 'c:link("gpu:0", "gpu:1")')

-- --- plans and runs ----------------------------------------------------------------------------

doc("Plan", "Plan", "A device and a priority for every node of its graph, on its cluster.",
  "p = plan.heft(g)")
doc("Plan.copy", "p:copy()", "A copy to edit.", "q = p:copy()")
doc("Plan.save", "p:save(path)", "Writes the plan, a line per node.", 'p:save "best.json"')
doc("Plan.apply", "p:apply(opts)",
  "Writes the plan as a file that another framework obeys; returns the path, and what the "
    .. "framework does not take. opts: target ('ort', 'ort-names', 'tensorflow', 'accelerate', "
    .. "'torch-pipelining', 'llama.cpp', 'openvino' or 'model-explorer'), path, model (the graph's "
    .. "file, for targets that copy it; default: the open one), micro_batches and schedule "
    .. "('gpipe', '1f1b', 'interleaved' or 'zero-bubble') of a pipeline.",
  'p:apply{ target = "ort", path = "placed.onnx" }')
doc("Plan.check", "p:check()", "True, or nil and what is wrong.", "assert(p:check())")
doc("Plan.device", "p:device(node)", "Where it has a node.", 'p:device "conv1"')
doc("Plan.move", "p:move(node or set, device)", "Puts nodes on a device; returns the plan.",
  'p:move(g:where{ op = "Conv" }, "gpu:1")')
doc("Plan.prio", "p:prio(node or set, n)",
  "Sets priorities and returns the plan; without n, tells a node's.",
  'p:prio("conv1", 100)')
doc("Plan.fuse_default", "p:fuse_default()",
  "Lets ops run as one kernel where XLA would; returns the plan. Fuse after placing.",
  "sim.run(g, p:fuse_default())")
doc("Plan.fusion", "p:fusion(node or set, n)",
  "Fuses all nodes of one number, false: with none; returns the plan. Without n, tells a "
    .. "node's, or nil.",
  'p:fusion(g:where{ op = "Relu" }, false)')
doc("Plan.unfuse", "p:unfuse()", "Makes every op a kernel of its own again; returns the plan.",
  "p:unfuse()")

doc("Policy", "Policy", "A way to make plans.", 'policy.get "heft"')
doc("Policy.decide", "policy:decide(g, opts)",
  "Makes a plan; opts: cluster, seed, evals, seconds, tasks; of learned policies network (a "
    .. "file), settings ('attention=0') and start (a plan).",
  'policy.get "random":decide(g, { seed = 7 })')

doc("State", "State", "What a policy written in Lua decides on: a schedule in the making.",
  "state:free_at(d)")
doc("State.free_at", "state:free_at(device)", "When the device has done what it was given.",
  'state:free_at "gpu:0"')
doc("State.inputs_at", "state:inputs_at(node, device)", "When a node's inputs can be on a device.",
  "state:inputs_at(node, d)")
doc("State.fits", "state:fits(node, device)",
  "Whether the device can run the node, has the memory, and its group is not elsewhere.",
  "state:fits(node, d)")
doc("State.assign", "state:assign(node, device)",
  "Puts a node there; members of a group follow its first. Done for you by decide().",
  'state:assign(node, "gpu:0")')
doc("State.nodes", "state:nodes()", "All nodes in topological order.", "state:nodes()")
doc("State.random", "state:random(n)",
  "A random whole number from 1 to n, or without n a number below 1; the seed decides.",
  "state.devices[state:random(#state.devices)]")
doc("State.plan", "state:plan()", "What has been decided, as a plan.", "state:plan()")

doc("Search", "Search", "What a policy that proposes plans works with: a budget of evaluations.",
  "search:move(plan, node, d)")
doc("Search.best", "search:best()", "The best plan so far, or nil.", "search:best()")
doc("Search.devices", "search:devices(node)",
  "The names of the devices on which a node, with its group, can run; a pinned one has one.",
  "search:devices(node)[1]")
doc("Search.evaluate", "search:evaluate(plan)",
  "Simulates a plan and counts it: its makespan, math.huge if it exceeds the memory. Called for "
    .. "each proposed plan.",
  "search:evaluate(plan)")
doc("Search.first", "search:first()",
  "The plan to begin with: opts.start, or one that puts each node where it finishes first.",
  "search:first()")
doc("Search.more", "search:more()", "Whether the budget allows for another plan.", "search:more()")
doc("Search.move", "search:move(plan, node, device)",
  "Moves a node, with its group, to a device; returns the plan.", "search:move(plan, node, d)")
doc("Search.nodes", "search:nodes(query)", "All nodes, or those of a query.", "search:nodes()")
doc("Search.random", "search:random(n)",
  "A random whole number from 1 to n, or without n a number below 1; the seed decides.",
  "search:random(10)")

doc("Decisions", "Decisions",
  "The decisions of a policy that builds or searches a plan, as a list: d[1] to d[#d]. Choices "
    .. "are {order =, node =, nodes =, device =, key =, start =, finish =, candidates =, why =, "
    .. "note =}: candidates has a number for each device, why the reasons against devices; start "
    .. "and finish are of the policy's own schedule. Plans of a search are {order =, evaluation =, "
    .. "before =, after =, note =, nodes =}. Times are seconds.",
  "for i, c in ipairs(r.decisions) do print(c.node, c.device) end")

doc("Run", "Run", "One plan, simulated.", "r = sim.run(g, p)")
doc("Run.bottlenecks", "r:bottlenecks(n)",
  "What the makespan is spent on along the critical path: computing by group, transfers, waits for "
    .. "devices and channels; n causes, 10 unless told, and the others: kind, label, time, share, "
    .. "set.",
  "r:bottlenecks()[1].set:show()")
doc("Run.shares", "r:shares(from, to)",
  "The whole time of every device in a span, else the run: devices, a list of {device =, "
    .. "computing =, data =, channel =, priority =, ends =} in seconds, which sum to the span: "
    .. "what it waits for before its next op. types, groups and links are lists of {name =, "
    .. "count =, busy =, share =}, the first two with set, links with bytes.",
  'r:shares("1ms", "2ms").types[1].set:show()')
doc("Run.totals", "r:totals(from, to, device or list of devices)",
  "What the devices did in a span of time: all and devices have ops, busy, idle, sending, "
    .. "receiving, sent and received; top has the ops that took most of it. Without devices all of "
    .. "them; without times the whole run.",
  'r:totals("1ms", "2ms", { "gpu:0" })')
doc("Run.why", "r:why(device, time)",
  'The chain of causes for what a device does, or waits for, at a time; without them, why the '
    .. 'run is not valid ("" where it is).',
  'r:why("gpu:1", "12.4ms")')
doc("Run.at", "r:at(time, opts)",
  "What nodes do at a time: sets waiting, ready, running and done, their counts, and it all "
    .. "as text; devices is a list with a table per device: running, the ready queue in its order, "
    .. "sending, receiving, waiting (to be sent), how many there are in counts, next, memory, "
    .. "capacity, and text. opts: first (20), the length of these lists.",
  'r:at("12.4ms").devices[1].ready')
doc("Run.critical_path", "r:critical_path()",
  "The nodes that decided its length, in order of time.", "r:critical_path()")
doc("Run.explain", "r:explain()", "The critical path in words, a list of lines.", "pp(r:explain())")
doc("Run.next_event", "r:next_event(time, device)",
  "The next time at which an op or a transfer starts or finishes, of a device or of all: "
    .. "{time =, text =, events =}, events with what (start, finish), node, device, and to for "
    .. "transfers; nil after the last. Without a time the first.",
  'r:next_event("12.4ms", "gpu:0").text')
doc("Run.previous_event", "r:previous_event(time, device)",
  "The same for the time before; without a time the last.",
  'r:previous_event("12.4ms").events')
doc("Run.idle", "r:idle(device)", "How long a device did nothing.", 'r:idle "gpu:0"')
doc("Run.links", "r:links()",
  "What each link carried, a list: link, bytes, busy (seconds), transfers.",
  "for _, row in ipairs(r:links()) do print(row.link, row.bytes) end")
doc("Run.memory", "r:memory(device)",
  "A device's memory over time, a list; with peak, peak_at and capacity.",
  'r:memory("gpu:0").peak')
doc("Run.utilisation", "r:utilisation()", "The busy share of every device.", "pp(r:utilisation())")
doc("Run.bounds", "r:bounds()",
  "What the bound is made of: critical_path, work, memory.",
  "pp(r:bounds())")
doc("Run.transfers", "r:transfers()", "What was sent: node, from, to, bytes, ready, start, finish.",
  "#r:transfers()")
doc("Run.trace", "r:trace(path)", "Writes a trace for Perfetto and chrome://tracing.",
  'r:trace "run.json"')
doc("Run.steps", "r:steps()",
  "The steps on the way to the plan, a list of {step =, makespan =, nodes =, text =}: nodes are "
    .. "those that the step changed.",
  "for _, s in ipairs(r:steps()) do print(s.text) end")
doc("Run.step", "r:step(n)",
  "The plan after n decisions, simulated: a run of its own, to be shown or compared. After "
    .. "choices, whose other nodes are undecided, it is the whole plan.",
  "compare(r:step(1), r):show()")
doc("Run.card", "r:card(node, step)",
  "What the policy could choose for a node at a step (else the last), a list with a table for each "
    .. "task: step, row, rows, order, entropy, key, sampled, note and text, and in the order of "
    .. "devices or levels {name =, probability =, candidate =, chosen =, likeliest =, why =}: why "
    .. "a device was not allowed. attended: the other rows that a network with attention looked "
    .. "at most, {row =, nodes =, node =, share =}; node is the row's first. settled: the node's "
    .. "device if the drawn plan was refined, which draws nothing. Empty of searches, "
    .. "which compare whole plans.",
  "r:card(g:node \"conv1\", 3)[1].text")
doc("Run.fork", "r:fork(n, policy, opts)",
  "Goes on from the plan after n decisions with a search: anneal, local-search or go-improve, "
    .. "whose first plan that is; opts: seed, evals, seconds, settings, pinned.",
  'r:fork(12, "anneal", { evals = 500 })')
doc("Run.least_sure", "r:least_sure(n)",
  "The n nodes of which GO was least certain where to put them, the least sure first.",
  "r:least_sure(20):show()")
doc("Run.node", "r:node(name)", "One node, as it was in this run.", 'r:node("conv1").start')
doc("Run.nodes", "r:nodes()", "All nodes, as they were in this run.", 'r:nodes():top(5, "wait")')
doc("Run.where", "r:where(query)", "The nodes of a query, as they were in this run.",
  'r:where{ device = "gpu:1" }')
doc("Run.film", "r:film(path, opts)", "Films the run, as view.film does.", 'r:film "run.gif"')
doc("Run.share", "r:share(path)",
  "Writes one HTML file that any browser shows without a network: graph, timeline and steps.",
  'r:share "plan.html"')
doc("Run.report", "r:report()", "The run as text.", "print(r:report())")

doc("Bench", "Bench", "What policies made of a suite's graphs; #b is how many graphs are measured.",
  'b = bench.run{ suite = "quick" }')
doc("Bench.step", "b:step()",
  "Measures the next graph and returns its row; nil after the last.",
  "b:step()")
doc("Bench.rows", "b:rows()",
  "The rows so far: name, graph, cluster, nodes, devices, bound and results, a list with a "
    .. "table per policy; its improvements are the learning curve of each seed, a list of "
    .. "{evaluation =, makespan =}.",
  "b:rows()[1].results[1].makespan")
doc("Bench.means", "b:means()", "Geometric means over the graphs, a list with a table per policy.",
  "pp(b:means())")
doc("Bench.text", "b:text()", "Tables for people.", "print(b:text())")
doc("Bench.csv", "b:csv()", "A line per graph, policy and seed.", 'app.write("bench.csv", b:csv())')
doc("Bench.json", "b:json()", "The same for programs, as goban-cli bench --json.",
  'app.write("bench.json", b:json())')

doc("Measurement", "Measurement", "Plans of a model: predicted, and measured on this machine.",
  'm = measure.run{ model = "samples/inception-v3.onnx", policies = { "heft" } }')
doc("Measurement.plans", "m:plans()",
  "A table per plan: name, predicted, measured (the median), low and high (percentiles 10 and 90), "
    .. "error, op_error, inside_share, segments, hand_overs, runs, outliers, "
    .. "run (the simulated one) and "
    .. "recorded (the measured one, of a graph of its own).",
  "view.show(m:plans()[1].recorded)")
doc("Measurement.ops", "m:ops(i)",
  "A table per node of the i-th plan: node, predicted_start, predicted, start, measured, inside.",
  "m:ops(1)[1].measured")
doc("Measurement.text", "m:text()", "Costs and a table of the plans for people.", "print(m:text())")
doc("Measurement.csv", "m:csv()", "A line per plan: predicted and measured, for a scatter plot.",
  'app.write("plans.csv", m:csv())')
doc("Measurement.plot", "m:plot()",
  "A plot of the measured makespans over the predicted ones, with the line on which both agree.",
  'show(m:plot())')
doc("Measurement.show", "m:show()",
  "Gives the open graph the measured times and the measured cores, and adds the plans to the list, "
    .. "simulated and measured, as one change: behind a simulated run lies the measured one.",
  "m:show()")
doc("Measurement.json", "m:json()", "The same for programs, as goban-cli measure --json.",
  'app.write("measurement.json", m:json())')

doc("Diff", "Diff", "Runs of one graph, compared; the first is what the others are measured by.",
  "d = compare(plan.single(g), p)")
doc("Diff.why", "d:why()",
  "The difference as a sum: bars of kind, label, from, to, delta, set and error from the first "
    .. "makespan to the second, for placement, its groups by Shapley values, order, fusion and "
    .. "interaction. Their field change names what d:revert takes back.",
  "print(d:why())")
doc("Diff.revert", "d:revert(part or change, set, label)",
  "The second plan with a part of the difference taken back: a row of d:why(), or a change "
    .. "(moved, fused, prioritised, order, transfers) and a set.",
  'd:revert(d:why()[2]):save "without.json"')
doc("Diff.try", "d:try(part or change, set, label)",
  "Adds the second run without that part to the list and shows it.",
  "d:try(d:why()[2])")
doc("Diff.changes", "d:changes(min_change)",
  "A row for each node that differs: node, op, from, to, rank, refused, start, finish.",
  'd:changes("100us")[1].finish')
doc("Diff.csv", "d:csv(min_change)",
  "The same as CSV; times in microseconds.",
  'app.write("changes.csv", d:csv "100us")')
doc("Diff.show", "d:show()", "Selects the moved nodes and goes there.", "d:show()")
doc("Diff.moved", "d:moved(from, to)",
  "The nodes on another device in the second than in the first; with two devices, from the "
    .. "one to the other.",
  "d:moved():show()")
doc("Diff.refused", "d:refused()",
  "The nodes that are fused with others than before.",
  "#d:refused()")
doc("Diff.retimed", "d:retimed(min_change)",
  "The nodes that finish at another time, by so much at least.", 'd:retimed "10us"')
doc("Diff.change", "d:change(node)",
  "By how much it starts and finishes later, and by how many places in the order of "
    .. "priorities: start, finish, rank.",
  'd:change("conv1").finish')
doc("Diff.describe", "d:describe(min_change, n)",
  "What differs, a sentence and n lines of moves, priorities and times.",
  'print(d:describe "10us")')
doc("Diff.reprioritised", "d:reprioritised()",
  "The nodes of another priority.",
  "#d:reprioritised()")
doc("Diff.matrix", "d:matrix()", "How many nodes moved from where to where.", "pp(d:matrix())")
doc("Diff.report", "d:report(path)",
  "The difference as text, or written to a file. A path that ends in .html gets a page of all its "
    .. "runs that any browser shows and prints without a network: graph, timelines, figures, "
    .. "comparison with the first, steps, and the Lua that makes it again.",
  'd:report "report.html"')
doc("Diff.table", "d:table()", "A line per run, as text.", "print(d:table())")
doc("Diff.unmatched", "d:unmatched()",
  "The same runs, compared by names of devices; else exchangeable ones are called as in the first.",
  "#d:unmatched():moved()")
doc("Diff.worse", "d:worse(percent)",
  "Whether any run is not valid or that much slower than the first.",
  "os.exit(d:worse(2) and 1 or 0)")

-- --- globals -----------------------------------------------------------------------------------

doc("g", "g", "The open graph; follows the window.", "g:stats()")
doc("p", "p", "The plan of the current run.", 'p:device "conv1"')
doc("r", "r", "The current run.", "r.makespan")
doc("sel", "sel", "The selected nodes.", "describe(sel)")
doc("_", "_", "The last result.", "_")
doc("out", "out", "All results so far, a list.", "out[1]")
doc("help", "help(x)",
  "What something is: a function, a value, or a name. At a prompt also x?",
  "help(graph.load)")
doc("apropos", "apropos(word)",
  "Everything whose name or description has the word.",
  'apropos "memory"')
doc("pp", "pp(...)", "Prints values with sorted keys, five levels deep.", "pp(g:stats())")
doc("json", "json(x)", "The value as JSON for other programs; times in seconds, sizes in bytes.",
  'print(json(g:where{ op = "Conv" }))')
doc("time", "time(f, n, ...)",
  "Calls f with the arguments after n and prints how long it took; n times, if n is a whole "
    .. "number: least, median and spread (half of the calls lie within it). Returns what f "
    .. "returns.",
  "time(plan.heft, 5, g)")
doc("show", "show(x, opts)",
  "Shows a plot, a list of records or nodes, or a picture of a run, a plan, a graph or a "
    .. "comparison in the console, and returns it; without a window, it is printed as text. opts "
    .. "of pictures: view (graph, timeline), color.",
  "show(r)")
doc("sweep", "sweep{name=, ..., run=, on_row=}",
  "Calls run with a table of parameters for every combination of the lists of values, and "
    .. "returns the list of records: the parameters with what run returns, which is a number, a "
    .. "run, a plan or a table. plot shows it as lines or a heat map. Stopped at a prompt, _ has "
    .. "the records so far; on_row is called with each record.",
  'plot(sweep{ n = { 2, 4 }, run = function(v) return plan.heft(g, 0, "equal:" .. v.n) end })')

doc("ui", "ui",
  "A panel beside the console with controls whose changes re-run functions.",
  'ui.slider("GB/s", 1, 100, 12, function(v) print(v) end)')
doc("ui.slider", "ui.slider(name, min, max, value, f)",
  "A slider, in the place of one of that name. f(value, control) is called at once and whenever "
    .. "the value changes; of several changes during a call only the newest counts. What show() "
    .. "shows in f replaces what it showed there before. Or one table: name, min, max, value, "
    .. "step, on_change.",
  'ui.slider{ name = "GB/s", min = 1, max = 100, value = 12, on_change = print }')
doc("ui.choice", "ui.choice(name, choices, f)",
  "A choice of words; f as of a slider. Or one table: name, choices, value, on_change.",
  'ui.choice("policy", { "heft", "metis" }, function(name) show(plan[name](g)) end)')
doc("ui.button", "ui.button(name, f)",
  "A button that calls f when it is pressed. Or one table: name, on_press.",
  'ui.button("Best", function() view.show(1) end)')
doc("ui.clear", "ui.clear()", "Removes all controls.", "ui.clear()")
doc("Control", "Control", "A slider, a choice or a button.", "s = ui.slider(\"n\", 1, 8, 2)")
doc("Control.set", "s:set(value)",
  "Sets the value, or presses the button, and calls its function; returns the control.",
  "s:set(4)")
doc("Control.remove", "s:remove()", "Removes it from the panel.", "s:remove()")

doc("plot", "plot(t, opts)",
  "A plot of a list of numbers or records, of nodes, runs, or a table of numbers or sets by "
    .. "name; opts: kind (lines, bars, scatter, histogram, heat), x, y (a field, a function or a "
    .. "list of them), by (a field: a series for each of its values), value (of a heat map), "
    .. "reduce (mean, min, max, sum, count or a function: one number of those of the same x in "
    .. "bars, lines and heat maps), title, x_label, y_label, value_label, x_unit, y_unit, "
    .. "value_unit (s and B take what fits, such as ms), log (x, y or xy), identity (a line on "
    .. "which x = y), bins. In the window a click on a point selects the nodes or shows the run.",
  'plot(g:nodes(), { x = "cost", y = "mem", log = "xy" })')
doc("plot.lines", "plot.lines(t, opts)", "A plot of lines; opts as of plot.",
  "plot.lines(j:curve())")
doc("plot.bars", "plot.bars(t, opts)", "A plot of bars; opts as of plot.",
  'plot.bars(g:nodes():by "op")')
doc("plot.scatter", "plot.scatter(t, opts)", "A plot of points; opts as of plot.",
  'plot.scatter(g:nodes(), { x = "cost", y = "mem" })')
doc("plot.histogram", "plot.histogram(t, opts)", "How many values lie where; opts as of plot.",
  'plot.histogram(g:nodes(), { x = "cost", log = "x" })')
doc("plot.heat", "plot.heat(t, opts)",
  "Colours over two parameters; opts as of plot: x, y, value.",
  'plot.heat(rows, { x = "layers", y = "devices", value = "makespan" })')
doc("view.picture", "view.picture(opts)",
  "A picture of the graph or of a timeline, for show() and for files; opts as of view.save.",
  'show(view.picture{ view = "timeline", run = r })')
doc("Picture", "Picture", "A picture of a graph, a timeline or a comparison.", "p = show(r)")
doc("Picture.save", "p:save(path, opts)",
  "Writes it as .svg, .png or .pdf, or the nodes of a graph or a run as .csv; opts: theme (light, "
    .. "dark), width, height, scale.",
  'show(compare(1, 2)):save "compared.svg"')
doc("Plot", "Plot",
  "A plot; a prompt shows it, show(p) shows it in a script.",
  "p = plot{ 1, 4, 9 }")
doc("Plot.save", "p:save(path, opts)",
  "Writes it as .svg, .png or .pdf, or its points as .csv; opts: theme (light, dark), width, "
    .. "height, scale (of a .png).",
  'p:save "curve.svg"')
doc("Plot.csv", "p:csv()", "Its points as CSV; times in seconds, sizes in bytes.", "print(p:csv())")
doc("describe", "describe(x)",
  "Prints all there is to say of a node, set, graph, run or comparison.",
  "describe(r)")

doc("plan.tf", "plan.tf(g, seed, cluster or opts)",
  "The same as plan.tf_default.",
  "p = plan.tf(g)")

-- Fields, and methods of some types, come with their own words, beside their functions.
for kind, parts in pairs(core.types) do
  for name, row in pairs(parts.docs) do
    local signature = parts.variable
      .. (row.arguments and ":" .. name .. row.arguments or "." .. name)
    doc(kind .. "." .. name, signature, row.sentence, row.example or signature)
  end
end

-- Policies come with their own words.
for _, row in ipairs(policy.list()) do
  local name = row.name:gsub("-", "_")
  if not docs["plan." .. name] then
    doc("plan." .. name, "plan." .. name .. "(g, seed, cluster or opts)",
      row.blurb:sub(1, 1):upper() .. row.blurb:sub(2)
        .. "; opts: cluster, seed, evals, seconds, tasks.",
      "p = plan." .. name .. "(g)")
  end
end
