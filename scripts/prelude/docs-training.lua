-- docs-training.lua: the rows of docs.lua for jobs, trainers and networks.
local core = ...

local function doc(key, signature, sentence, example)
  core.docs[key] = { signature = signature, sentence = sentence, example = example }
end

doc("job", "job", "Long work that goes on while you do other things.", "pp(job.list())")
doc("job.train", "job.train(opts)",
  "Teaches GO's network on many graphs and returns the job; opts: policy (go), output, resume "
    .. "(a FILE.run), from (a network), curve (a CSV), suite, leave_out (a family or a list), "
    .. "follow (a FILE.run that another process writes: its curves are shown, nothing is trained), "
    .. "preset (goban, paper), settings, tasks, steps, seconds, rollouts, rows, seed, every (steps "
    .. "between trials), on_update (called by j:wait() with each update of j:curve() and the job).",
  'j = assert(job.train{ output = "go.net", steps = 500, leave_out = "gnmt" })')
doc("policy.train", "policy.train(opts)", "The same as job.train: the network of a policy learns.",
  'j = assert(policy.train{ output = "go.net", steps = 50, on_update = pp })')
doc("job.trainings", "job.trainings()",
  "All trainings of this session as jobs, whoever started them; those that have ended, too. "
    .. "A policy that learns on the graph that it places (plan.go, plan.go_finetune, plan.hdp, "
    .. "plan.placeto, plan.post) is one without a network; of those that have ended the last "
    .. "eight stay.",
  "plot{ job.trainings()[1], job.trainings()[2] }")
doc("policy.networks", "policy.networks()",
  "The trained networks, those that come with the program first, then those in goban-out and "
    .. "beside trainings, a list: name, file, network (which it is), decides, policy (that places "
    .. "with it), trained_on, updates, score (in trials, lower is better), parameters, shipped.",
  "policy.networks()")
doc("policy.load", "policy.load(path)",
  "A trained network, as policy.networks() lists it; nil and why if the file is none.",
  'plan.go_zeroshot(g, { network = policy.load("goban-out/builder.net").file })')
doc("app.use_network", "app.use_network(path)",
  "The Place menu's policies use that network from now on; without a path their own. Scripts name "
    .. "theirs: plan.go_zeroshot(g, { network = path }).",
  'app.use_network "goban-out/builder.net"')
doc("policy.film", "policy.film(path)",
  "The networks of earlier updates that a training keeps beside its network, a list: step, file. "
    .. "They go on to be there after the training.",
  'for _, f in ipairs(policy.film(t.output)) do '
    .. 'print(f.step, plan.go_zeroshot(g, { network = f.file, evals = 1 })) end')
doc("policy.trainer", "policy.trainer(opts)",
  "A training whose loop is yours: opts as of job.train, policy is builder without one, output a "
    .. "new file in goban-out; reward (a function of a rollout that answers a number) and lessons "
    .. "(a function of a number from 1 that answers a graph and a cluster, or a list of such "
    .. "pairs) replace what it learns from and on. Without them t:update() makes what job.train "
    .. "makes.",
  't = assert(policy.trainer{ steps = 40, reward = function(r) return -r.time / r.reference end })')
doc("job.list", "job.list()", "The jobs that are at work or held.", "job.list()[1]:stop()")


-- --- jobs --------------------------------------------------------------------------------------

doc("Job", "Job",
  "Work in the background. A script that ends stops its jobs, which save what they have.",
  'while j:wait(1) == false do print(j.what) end')
doc("Job.pause", "j:pause()", "Holds it after the step it is at; returns the job.", "j:pause()")
doc("Job.resume", "j:resume()", "Lets it go on; returns the job.", "j:resume()")
doc("Job.stop", "j:stop()",
  "Asks it to end; it writes what it has, and job.train{ resume = ... } goes on with it. "
    .. "Returns the job.",
  "j:stop():wait()")
doc("Job.wait", "j:wait(seconds)",
  "Waits for the end, or so long: false if it is still at work, nil and why if it failed, "
    .. "else a table of what came of it: finished, output, run, step, steps, seconds, parameters, "
    .. "score and score_before (validation, lower is better), kept_start (true: no later network "
    .. "was better than the one it began with, which is what was written), warning, "
    .. "expert_ratio_before, expert_ratio_after.",
  "print(assert(j:wait()).expert_ratio_after)")
doc("Job.curve", "j:curve(first)",
  "All steps so far, or those from the first on, a list: step, graph, mean_ratio, best_ratio, "
    .. "valid, reward, entropy, gradient_norm, clipped, seconds, top_share. Ratios are to the "
    .. "reference: the best of one device, the expert and m-ETF.",
  "pp(j:curve()[1])")
doc("Job.trials", "j:trials()",
  "The likeliest plans for graphs it does not learn on, as they became: step, graph, "
    .. "expert_ratio (to the expert's makespan), ratio.",
  "pp(j:trials())")
doc("Job.best", "j:best()",
  "The best step so far: step, and the mean of its trials over all graphs; without trials the best "
    .. "ratio of an update, or its highest reward. nil before the first.",
  "pp(j:best())")
doc("Job.net", "j:net()",
  "The network that it has written, as policy.load gives it; nil and why without one.",
  "plan.go_zeroshot(g, { network = j:net().file })")
doc("Job.csv", "j:csv()", "Both as CSV.", 'app.write("curve.csv", j:csv())')
doc("Job.report", "j:report()", "How it went, as text; nil before the end.", "print(j:report())")

-- --- trainers ----------------------------------------------------------------------------------

doc("Trainer", "Trainer", "A training that makes its steps when you ask for them.",
  "while t:update() do print(t.step) end")
doc("Trainer.update", "t:update(n)",
  "Makes an update, or n of them; returns the last as t:curve() has it, nil when all steps are "
    .. "made, nil and why if it failed.",
  "print(assert(t:update()).reward)")
doc("Trainer.rollouts", "t:rollouts()",
  "The plans that the next update learns from, a list: lesson, time and reference (of the best "
    .. "split) in seconds, reward, entropy, top_share, plan. Their rewards may be changed before "
    .. "t:update().",
  "for _, r in ipairs(t:rollouts()) do r.reward = -r.time / r.reference end")
doc("Trainer.evaluate", "t:evaluate()",
  "Measures the network on validation problems, without influence on the training: valid_greedy "
    .. "and valid_best over the reference.",
  "print(t:evaluate().valid_best)")
doc("Trainer.save", "t:save(path)",
  "Writes the network to a file, and the run beside it as FILE.run; without a path to t.output.",
  't:save("goban-out/mine.net")')
doc("Trainer.net", "t:net()", "The network so far, written to t.output: as policy.load gives it.",
  "plan.go_zeroshot(g, { network = t:net().file })")
doc("Trainer.curve", "t:curve(first)", "All updates so far, or those from the first on, a list.",
  "plot(t:curve())")
doc("Trainer.trials", "t:trials()", "What was measured on problems it does not learn from, a list.",
  "pp(t:trials())")
doc("Trainer.csv", "t:csv()", "Both as CSV.", 'app.write("curve.csv", t:csv())')
doc("Trainer.close", "t:close()", "Ends the training, which writes its network and its run.",
  "t:close()")
