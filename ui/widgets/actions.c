#include "ui/widgets/actions.h"

#include "engine/core/i18n.h"

#include <string.h>

/* Keys with a meaning for GTK's own text widgets are never taken while one has the focus:
 * single letters are in the column of the pictures. */
/* clang-format off */
static const GobanActionInfo actions[] = {
  { "open", N_ ("_Open…"), N_ ("Open a session, a graph or a plan"),
    GOBAN_GROUP_FILE, GOBAN_MENU_NONE,
    .accels = "<Control>o",
    .lua = "app.open \"model.onnx\"" },
  { "open-path", N_ ("Open a _File"), N_ ("Open the file of that name"),
    GOBAN_GROUP_FILE, GOBAN_MENU_NONE, .parameter = "s",
    .lua = "app.open \"model.onnx\"" },
  { "watch", N_ ("_Watch Inception-v3 Being Placed"),
    N_ ("Open a sample, place it with a trained network, and show its first decision"),
    GOBAN_GROUP_FILE, GOBAN_MENU_NONE, .accels = NULL },
  { "generate", N_ ("_Generate…"), N_ ("Make the graph of a published model"),
    GOBAN_GROUP_FILE, GOBAN_MENU_FILE,
    .accels = "<Control>n",
    .lua = "graph.generate \"gnmt:layers=8\"" },
  { "draw-graph", N_ ("_Draw a Graph"), N_ ("Begin a small graph that is drawn by hand"),
    GOBAN_GROUP_FILE, GOBAN_MENU_FILE,
    .lua = "view.derive(sim.run(plan.heft(g:edit{ add = { { name = \"a\", times = 1e-4 } } })))" },
  { "save-graph", N_ ("Save the Graph as _JSON…"), N_ ("Write the graph as a file of our own JSON"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .lua = "g:save \"a.json\"" },
  { "draw-op", N_ ("Add an _Op…"), N_ ("Add an op to a graph that is drawn by hand"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_DRAW,
    .keys = "Insert" },
  { "draw-edit", N_ ("_Change the Op…"), N_ ("Change op, time and bytes of the selected op"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_DRAW, .accels = NULL },
  { "draw-connect", N_ ("C_onnect or Part"),
    N_ ("Let the second of two selected ops read the first, or not any more"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_DRAW,
    .keys = "<Shift>Insert" },
  { "draw-delete", N_ ("_Delete"), N_ ("Delete the selected ops from a drawn graph"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_DRAW,
    .keys = "Delete" },
  { "train", N_ ("_Train a Network…"), N_ ("Train the network of a policy, and watch its curves"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_TRAINING,
    .lua = "job.train{ policy = \"builder\", output = \"goban-out/builder.net\" }" },
  { "follow-training", N_ ("F_ollow a Training…"),
    N_ ("Show the curves of a training that another process makes"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_TRAINING,
    .lua = "job.train{ follow = \"builder.net.run\" }" },
  { "measure", N_ ("Measure on This Mac_hine…"),
    N_ ("Run plans of an ONNX model on this machine, and show measured beside predicted times"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_TRAINING,
    .lua = "measure.run{ model = \"model.onnx\", policies = { \"heft\" } }" },
  { "calibrate", N_ ("Cali_brate Devices…"),
    N_ ("Fit the efficiencies of a kind of device to measured times of ops or iterations"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_TRAINING,
    .lua = "cluster.calibrate(g:with_costs \"profile.json\")" },
  { "in-parallel", N_ ("_In Parallel…"),
    N_ ("Train the model on a whole cluster, as a pipeline or as copies, or simulate a collective"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_PARALLEL,
    .lua = "view.derive(assert(g:parallel{ tp = 1, pp = 2, dp = 2 }))" },
  { "make-pipeline", N_ ("Make a _Pipeline…"),
    N_ ("Cut the model into stages on several devices, and repeat it for micro-batches"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .lua = "view.derive(assert(g:pipeline{ schedule = \"1f1b\", micro_batches = 8 }))" },
  { "copy-model", N_ ("_Copies of the Model…"),
    N_ ("Train copies of the model on several devices, which exchange their gradients"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .lua = "view.derive(assert(g:replicas{ n = 2 }))" },
  { "simulate-collective", N_ ("Simulate a Co_llective…"),
    N_ ("Send a tensor between the devices, as an all-reduce does"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .lua = "view.derive(assert(graph.collective(\"all-reduce\", 1e8)))" },
  { "back-to-model", N_ ("_Back to the Model"),
    N_ ("Go from the graph of a pipeline, of copies or of a collective back to the one before it"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_PARALLEL,
    .lua = "view.back()" },
  { "networks", N_ ("Net_works…"),
    N_ ("List the trained networks, and choose one for the Place menu"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_TRAINING,
    .lua = "policy.networks()" },
  { "compare-trainings", N_ ("Compare _Trainings"),
    N_ ("Draw the curves of all trainings in one picture"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .lua = "plot(job.trainings())" },
  { "training-by-graph", N_ ("Training Curves by _Graph"),
    N_ ("Draw a chart for each graph that a training learns on or only tries"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE, .state = "false",
    .lua = "plot(job.trainings()[1]:curve(), { by = \"graph\" })" },
  { "reload", N_ ("_Reload"), N_ ("Read the file again"),
    GOBAN_GROUP_FILE, GOBAN_MENU_FILE, .accels = "F5",
    .lua = "app.open \"model.onnx\"" },
  { "save", N_ ("_Save"), N_ ("Save the session: graph, plans, view and notes"),
    GOBAN_GROUP_FILE, GOBAN_MENU_FILE,
    .accels = "<Control>s",
    .lua = "app.save_session \"session.goban\"" },
  { "save-as", N_ ("Save _as…"), N_ ("Save the session under another name"),
    GOBAN_GROUP_FILE, GOBAN_MENU_FILE,
    .accels = "<Control><Shift>s",
    .lua = "app.save_session \"session.goban\"" },
  { "save-plan", N_ ("Save _Plan…"), N_ ("Save the plan that is shown"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .lua = "p:save \"plan.json\"" },
  { "export-changes", N_ ("Export _Changes…"),
    N_ ("Save the nodes that differ between the compared plans, as CSV"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .lua = "app.write(\"changes.csv\", compare(1, 2):csv \"100us\")" },
  { "export-report", N_ ("Export _Report…"), N_ ("Save an HTML page that compares the plans"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .lua = "compare(1, 2):report \"report.html\"" },
  { "export-graph", N_ ("Export _Graph…"),
    N_ ("Save the graph, or what is seen of it, as SVG, PNG or PDF"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .accels = "<Control>e",
    .lua = "view.save \"graph.svg\"" },
  { "export-plan", N_ ("Export P_lan for…"), N_ ("Save the plan as another framework reads it"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .lua = "p:apply{ target = \"ort\", path = \"placed.onnx\" }" },
  { "export-plot", N_ ("Export Pl_ot…"), N_ ("Save the last plot as SVG, PNG, PDF or CSV"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .lua = "plot(g:nodes(), { x = \"cost\" }):save \"plot.svg\"" },
  { "export-table", N_ ("Export Ta_ble…"), N_ ("Save the nodes as CSV, for a spreadsheet"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .lua = "view.save \"nodes.csv\"" },
  { "export-timeline", N_ ("Export _Timeline…"),
    N_ ("Save the timeline, or what is seen of it, as SVG, PNG or PDF"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .accels = "<Control><Shift>e",
    .lua = "view.save(\"timeline.svg\", { view = \"timeline\" })" },
  { "export-page", N_ ("Export a Pa_ge to Share…"),
    N_ ("Save all plans as one HTML page, which any browser shows without this program"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .lua = "view.share \"plans.html\"" },
  { "export-film", N_ ("Export a _Film…"), N_ ("Save the run, or the steps to it, as a film"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .lua = "r:film \"run.gif\"" },
  { "export-training-film", N_ ("Export the Film of a Tra_ining…"),
    N_ ("Save a film of the plans that the network made of the open graph while it learned; choose "
        "again to cancel"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .lua = "view.film(\"training.gif\", { training = \"goban-out/builder.net\" })" },
  { "export-trace", N_ ("Export T_race…"), N_ ("Save the trace for Perfetto and chrome://tracing"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .lua = "r:trace \"trace.json\"" },

  { "place", N_ ("_Place With"), N_ ("Place the graph with a policy"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE, .parameter = "s",
    .lua = "view.show(sim.run(plan.heft(g)))" },
  { "place-with", N_ ("Place With a _Budget"),
    N_ ("Place the graph with a policy, seed, simulations, seconds and tasks"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE, .parameter = "(sttds)",
    .lua = "view.show(sim.run(plan.anneal(g, { evals = 500 })))" },
  { "place-quick", N_ ("Place With All _Quick"), N_ ("Place the graph with every quick policy"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .lua = "compare.policies(g, { \"heft\", \"metis\" })" },
  { "choose-policy", N_ ("Place…"), N_ ("Choose a policy to place the graph with"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .accels = "<Control>p",
    .lua = "policy.list()" },
  { "cluster", N_ ("_Cluster"), N_ ("Choose the devices to place on"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE, .parameter = "s",
    .lua = "app.cluster \"p100x8\"" },
  { "cluster-file", N_ ("Cluster _File…"), N_ ("Read the devices from a JSON file"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .lua = "app.cluster(cluster.load \"cluster.json\")" },
  { "devices", N_ ("_Devices and Links…"),
    N_ ("Change devices and links: what if they were faster"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_VIEW,
    .accels = "<Control>d", .parameter = "s",
    .target = "''",
    .lua = "app.device(\"gpu:1\", { speed = 1.5 })" },
  { "next-plan", N_ ("_Next Plan"), N_ ("Show the next plan of the list"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .accels = "<Control>Page_Down",
    .lua = "view.show(2)" },
  { "previous-plan", N_ ("Pre_vious Plan"), N_ ("Show the previous plan of the list"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .accels = "<Control>Page_Up",
    .lua = "view.show(1)" },
  { "remove-plan", N_ ("_Remove Plan"), N_ ("Remove the current plan from the list"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .lua = "view.remove(r)" },
  { "stop", N_ ("_Stop"), N_ ("Stop what is running; a search keeps its best plan"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .accels = "<Control>period" },

  { "undo", N_ ("_Undo"), N_ ("Undo"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_EDIT,
    .wide = "<Control>z",
    .lua = "app.undo()" },
  { "redo", N_ ("_Redo"), N_ ("Redo"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_EDIT,
    .wide = "<Control><Shift>z <Control>y",
    .lua = "app.redo()" },
  { "device-key", N_ ("To _Device…"), N_ ("Move the selection to a device: press 0 to 9"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_NONE,
    .keys = "d" },
  { "move-selection", N_ ("_Move to Device"),
    N_ ("Move the selection to the device of that number"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_NONE, .parameter = "i",
    .lua = "sel:move \"gpu:1\"" },
  { "urgency", N_ ("Ra_ise Priority"), N_ ("Run the selection before the next op of its device"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_SELECTION,
    .keys = "plus equal KP_Add", .parameter = "i",
    .target = "1",
    .lua = "sel:prio \"up\"" },
  { "urgency", N_ ("Lo_wer Priority"), N_ ("Run the selection after the next op of its device"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_SELECTION,
    .keys = "minus KP_Subtract", .parameter = "i",
    .target = "-1",
    .lua = "sel:prio \"down\"" },
  { "fuse", N_ ("_Fuse"), N_ ("Fuse the selection into one kernel"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_SELECTION, .parameter = "b", .target = "true",
    .lua = "sel:fuse()" },
  { "fuse", N_ ("Un_fuse"), N_ ("Split the kernels of the selection"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_SELECTION, .parameter = "b", .target = "false",
    .lua = "sel:unfuse()" },
  { "pin", N_ ("_Pin"), N_ ("Keep the selection on its device"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_SELECTION, .parameter = "b", .target = "true",
    .lua = "sel:pin()" },
  { "pin", N_ ("Unp_in"), N_ ("Allow the selection to be moved"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_SELECTION, .parameter = "b", .target = "false",
    .lua = "sel:unpin()" },

  { "hide", N_ ("_Hide"), N_ ("Hide the selection"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_SELECTION,
    .keys = "h",
    .lua = "sel:hide()" },
  { "unhide", N_ ("Show _All"), N_ ("Show all hidden nodes"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_SELECTION,
    .keys = "u",
    .lua = "view.hide()" },
  { "fit", N_ ("_Fit"), N_ ("Show the whole picture"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .accels = "<Control>0", .keys = "0",
    .lua = "view.zoom \"fit\"" },
  { "centre", N_ ("_Centre the Selection"),
    N_ ("Show the middle of the selection; press again to fit all of it"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .keys = "f" },
  { "zoom-selection", N_ ("Zoom to _Selection"), N_ ("Show the selection"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .keys = "<Shift>f",
    .lua = "view.zoom \"selection\"" },
  { "open-group", N_ ("_Open Group"), N_ ("Open the selected group, or show the selection"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .keys = "Return KP_Enter",
    .lua = "view.expand \"decoder\"" },
  { "close-group", N_ ("_Close Group"), N_ ("Close the group around the selection"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .keys = "BackSpace",
    .lua = "view.collapse \"decoder\"" },
  { "close-groups", N_ ("Close _All Groups"), N_ ("Close all groups"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .keys = "<Shift>BackSpace",
    .lua = "view.expanded{}" },
  { "group", N_ ("By _Module"), N_ ("Group by scopes, layers or parameters, until it can be read"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .parameter = "s", .state = "'auto'",
    .target = "'auto'",
    .lua = "view.group \"auto\"" },
  { "group", N_ ("_None"), N_ ("Show every node"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .parameter = "s", .state = "'auto'",
    .target = "'none'",
    .lua = "view.group \"none\"" },
  { "group", N_ ("By _Scope"), N_ ("Group by the scopes of names"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .parameter = "s", .state = "'auto'",
    .target = "'scope'",
    .lua = "view.group \"scope\"" },
  { "group", N_ ("By _Layer"), N_ ("Group by numbered layers"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .parameter = "s", .state = "'auto'",
    .target = "'layer'",
    .lua = "view.group \"layer\"" },
  { "group", N_ ("By _Time Step"), N_ ("Group by time steps of unrolled networks"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .parameter = "s", .state = "'auto'",
    .target = "'step'",
    .lua = "view.group \"step\"" },
  { "group", N_ ("By _Parameter"), N_ ("Group by parameter"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .parameter = "s", .state = "'auto'",
    .target = "'parameter'",
    .lua = "view.group \"parameter\"" },
  { "group", N_ ("By Parameter _Use"), N_ ("Group by first, second and later uses of parameters"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .parameter = "s", .state = "'auto'",
    .target = "'use'",
    .lua = "view.group \"use\"" },
  { "group", N_ ("By _Fused Kernel"), N_ ("Group by fused kernel"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .parameter = "s", .state = "'auto'",
    .target = "'cluster'",
    .lua = "view.group \"cluster\"" },
  { "follow", N_ ("_Follow Decisions"), N_ ("Open the module of each shown decision, and go there"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .keys = "v",
    .state = "true" },
  { "layout", N_ ("_Automatic"), N_ ("Layers, in columns where they are many"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_ARRANGE,
    .parameter = "s", .state = "'auto'",
    .target = "'auto'",
    .lua = "view.layout \"auto\"" },
  { "layout", N_ ("In _Layers"), N_ ("Producers above consumers"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_ARRANGE,
    .parameter = "s", .state = "'auto'",
    .target = "'layered'",
    .lua = "view.layout \"layered\"" },
  { "layout", N_ ("In _Columns"), N_ ("Layers in columns"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_ARRANGE,
    .parameter = "s", .state = "'auto'",
    .target = "'wrapped'",
    .lua = "view.layout \"wrapped\"" },
  { "layout", N_ ("By _Device and Time"), N_ ("The schedule of the plan, a lane for each device"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_ARRANGE,
    .parameter = "s", .state = "'auto'",
    .target = "'lanes'",
    .lua = "view.layout \"lanes\"" },
  { "morph", N_ ("Graph or _Schedule"), N_ ("From the graph to the schedule of the plan, and back"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_ARRANGE,
    .keys = "g",
    .lua = "view.layout \"lanes\"" },
  { "zoom-in", N_ ("Zoom _in"), N_ ("Zoom in"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .accels = "<Control>plus <Control>equal <Control>KP_Add", .keys = "w" },
  { "zoom-out", N_ ("Zoom _Out"), N_ ("Zoom out"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .accels = "<Control>minus <Control>KP_Subtract", .keys = "s" },
  { "pan", N_ ("Pan Left"), N_ ("Go left"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .keys = "a Left", .parameter = "s", .target = "'left'" },
  { "pan", N_ ("Pan Right"), N_ ("Go right"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .keys = "Right", .parameter = "s", .target = "'right'" },
  { "pan", N_ ("Pan Up"), N_ ("Go up"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .keys = "Up", .parameter = "s", .target = "'up'" },
  { "pan", N_ ("Pan Down"), N_ ("Go down"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .keys = "Down", .parameter = "s", .target = "'down'" },
  { "color", N_ ("Colour by _Device"), N_ ("Colour by device"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_LOOK,
    .accels = "<Control>1", .parameter = "s", .state = "'device'", .target = "'device'",
    .lua = "view.color \"device\"" },
  { "color", N_ ("Colour by _Priority"), N_ ("Colour by priority"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_LOOK,
    .accels = "<Control>2", .parameter = "s", .state = "'device'", .target = "'priority'",
    .lua = "view.color \"priority\"" },
  { "critical-path", N_ ("_Critical Path"), N_ ("Show or hide the critical path"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_LOOK,
    .keys = "p", .state = "false",
    .lua = "r:critical_path()" },
  { "minimap", N_ ("_Map"), N_ ("Show or hide the map of the whole graph"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_LOOK,
    .keys = "<Alt>m", .state = "true" },
  { "dark", N_ ("_Dark"), N_ ("Light or dark"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_LOOK,
    .state = "false" },

  { "workspace", N_ ("_Explore"), N_ ("Look at one plan, and change it"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .accels = "<Alt>1", .parameter = "s", .state = "'explore'", .target = "'explore'",
    .lua = "view.workspace \"explore\"" },
  { "workspace", N_ ("_Decisions"), N_ ("Replay the decisions that led to the plan"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .accels = "<Alt>2", .parameter = "s", .state = "'explore'", .target = "'decisions'",
    .lua = "view.workspace \"decisions\"" },
  { "workspace", N_ ("_Compare"), N_ ("Compare two to four plans"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .accels = "<Alt>3", .parameter = "s", .state = "'explore'", .target = "'compare'",
    .lua = "compare.show()" },
  { "workspace", N_ ("_Train"), N_ ("Train networks, and watch them learn"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .accels = "<Alt>4", .parameter = "s", .state = "'explore'", .target = "'train'",
    .lua = "view.workspace \"train\"" },
  { "workspace", N_ ("_Script"), N_ ("Write and run a script"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .accels = "<Alt>5", .parameter = "s", .state = "'explore'", .target = "'script'",
    .lua = "view.workspace \"script\"" },
  { "compare-mode", N_ ("_Side by Side"), N_ ("Compare in a pane for each plan"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .parameter = "s", .state = "'side'",
    .target = "'side'",
    .lua = "compare.mode \"side\"" },
  { "compare-mode", N_ ("_Overlay"),
    N_ ("Compare two plans in one picture, each node in two halves"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .parameter = "s", .state = "'side'",
    .target = "'overlay'",
    .lua = "compare.mode \"overlay\"" },
  { "compare-mode", N_ ("_Blink"),
    N_ ("Compare by turns in one picture: hold B or Space for the first plan"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .parameter = "s", .state = "'side'",
    .target = "'blink'",
    .lua = "compare.mode \"blink\"" },
  { "compare-mode", N_ ("_Difference Only"), N_ ("Show only the differences"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .parameter = "s", .state = "'side'",
    .target = "'difference'",
    .lua = "compare.mode \"difference\"" },
  { "compare-swap", N_ ("S_wap"), N_ ("Swap the two compared plans"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .accels = "<Alt>x",
    .lua = "compare.swap()" },
  { "compare-time", N_ ("Device _Time"), N_ ("Show what devices do with their time"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .lua = "r:shares()" },
  { "compare-unchanged", N_ ("S_how Unchanged Nodes"),
    N_ ("Show nodes that are equal in both plans"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .parameter = "s", .state = "'dim'",
    .target = "'show'",
    .lua = "compare.unchanged \"show\"" },
  { "compare-unchanged", N_ ("Di_m Unchanged Nodes"), N_ ("Dim nodes that are equal in both plans"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .parameter = "s", .state = "'dim'",
    .target = "'dim'",
    .lua = "compare.unchanged \"dim\"" },
  { "compare-unchanged", N_ ("H_ide Unchanged Nodes"),
    N_ ("Hide nodes that are equal in both plans"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .parameter = "s", .state = "'dim'",
    .target = "'hide'",
    .lua = "compare.unchanged \"hide\"" },
  { "compare-lanes", N_ ("_Links and Memory"),
    N_ ("Show links and memory in the timeline of compared plans"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .state = "false",
    .lua = "compare.lanes \"all\"" },
  { "compare-scales", N_ ("_Own Scales"), N_ ("Use a separate colour scale for each plan"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .state = "false",
    .lua = "compare.scales \"own\"" },
  { "compare-race", N_ ("_Race"), N_ ("Let the policies decide side by side, and guess who wins"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .state = "false",
    .lua = "compare.race()" },
  { "compare-devices", N_ ("_Match Devices"), N_ ("Name exchangeable devices as in the first plan"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .state = "true",
    .lua = "compare.devices \"matched\"" },
  { "compare-sync-view", N_ ("Share the _View"),
    N_ ("Show the same part of the graph in all panes"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .state = "true",
    .lua = "compare.sync{ view = true }" },
  { "compare-sync-time", N_ ("Share the _Time"), N_ ("Show the same moment in all panes"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .state = "true",
    .lua = "compare.sync{ time = true }" },
  { "compare-sync-selection", N_ ("Share the Se_lection"),
    N_ ("Show the same selection in all panes"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .state = "true",
    .lua = "compare.sync{ selection = true }" },
  { "lesson-pane", N_ ("_Lessons"), N_ ("Show or hide lessons and challenges"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .accels = "<Control><Shift>k", .state = "false", .lua = "pp(lesson.list())" },
  { "scenes-pane", N_ ("Sc_enes"), N_ ("Show or hide the scenes of a talk, and their captions"),
    GOBAN_GROUP_PANES, GOBAN_MENU_VIEW,
    .accels = "<Alt>7", .state = "false", .lua = "pp(scene.list())" },
  { "presenter", N_ ("_Present"),
    N_ ("Show everything larger, with captions of scenes and the keys pressed, and hide the panes"),
    GOBAN_GROUP_PANES, GOBAN_MENU_SCREEN,
    .accels = "<Shift>F5", .state = "false" },
  { "left-pane", N_ ("_Plans"), N_ ("Show or hide the list of plans"),
    GOBAN_GROUP_PANES, GOBAN_MENU_VIEW,
    .accels = "F9", .state = "true" },
  { "right-pane", N_ ("_Inspector"), N_ ("Show or hide the inspector"),
    GOBAN_GROUP_PANES, GOBAN_MENU_VIEW,
    .accels = "<Control>F9", .state = "true" },
  { "timeline-pane", N_ ("_Timeline"), N_ ("Show or hide the timeline"),
    GOBAN_GROUP_PANES, GOBAN_MENU_VIEW,
    .state = "true" },
  { "timeline-rows", N_ ("Timeline _Rows"),
    N_ ("Show the bars of devices alone, then their memory and links, then low strips"),
    GOBAN_GROUP_PANES, GOBAN_MENU_VIEW,
    .accels = "<Control>t", .lua = "view.lanes{ open = { \"memory\", \"links\" } }" },
  { "console-pane", N_ ("_Console"), N_ ("Show or hide the console"),
    GOBAN_GROUP_PANES, GOBAN_MENU_VIEW,
    .accels = "F12 <Control>grave", .state = "false" },
  { "table-pane", N_ ("_Nodes"), N_ ("Show or hide the table of nodes"),
    GOBAN_GROUP_PANES, GOBAN_MENU_VIEW,
    .accels = "<Control><Shift>t", .state = "false" },
  { "notes-pane", N_ ("N_otes"), N_ ("Show or hide the notes of the session"),
    GOBAN_GROUP_PANES, GOBAN_MENU_VIEW,
    .accels = "<Control><Shift>n", .state = "false",
    .lua = "app.notes()" },
  { "moment", N_ ("_Devices at the Moment"),
    N_ ("Show what each device runs, holds and sends at the moment of the timeline"),
    GOBAN_GROUP_PANES, GOBAN_MENU_VIEW,
    .accels = "<Alt>6",
    .lua = "r:at(\"12.4ms\").devices" },
  { "maximize", N_ ("_Maximize the Pane"),
    N_ ("Let the pane with the focus fill the window, and back"),
    GOBAN_GROUP_PANES, GOBAN_MENU_VIEW,
    .accels = "<Shift>F11", .keys = "z", .state = "false" },
  { "reset-layout", N_ ("_Reset Layout"), N_ ("Give all panes of the workspace their usual sizes"),
    GOBAN_GROUP_PANES, GOBAN_MENU_VIEW, .accels = NULL },
  { "focus-pane", N_ ("Next _Pane"), N_ ("Move the focus to the next pane"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .accels = "F6", .parameter = "i", .target = "1" },
  { "focus-pane", N_ ("Pre_vious Pane"), N_ ("Move the focus to the previous pane"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .accels = "<Shift>F6", .parameter = "i", .target = "-1" },
  { "fullscreen", N_ ("F_ull Screen"), N_ ("Fill the screen"),
    GOBAN_GROUP_PANES, GOBAN_MENU_SCREEN,
    .accels = "F11", .state = "false" },

  { "select-all", N_ ("Select _All"), N_ ("Select every node"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "<Control>a",
    .lua = "view.select(g:where())" },
  { "select-none", N_ ("Select _Nothing"), N_ ("Select nothing"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .lua = "view.select()" },
  { "escape", N_ ("Clear"),
    N_ ("Stop playing, leave the step and the moment, clear the search, then the selection"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "Escape" },
  { "select-inputs", N_ ("Select _Inputs"), N_ ("Select what feeds the selection"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "i", .parameter = "s",
    .target = "'inputs'",
    .lua = "view.select(sel + sel:inputs(1))" },
  { "select-inputs", N_ ("Select _Outputs"), N_ ("Select what reads the selection"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "o", .parameter = "s",
    .target = "'outputs'",
    .lua = "view.select(sel + sel:outputs(1))" },
  { "step", N_ ("Next Op"), N_ ("Select the next op of the device"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "period", .parameter = "i", .target = "1" },
  { "step", N_ ("Previous Op"), N_ ("Select the previous op of the device"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "comma", .parameter = "i", .target = "-1" },

  { "walk", N_ ("Along an Edge, Down"), N_ ("Select what reads the selected node most"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "<Control>Down", .parameter = "s",
    .target = "'output'" },
  { "walk", N_ ("Along an Edge, Up"), N_ ("Select what feeds the selected node most"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "<Control>Up", .parameter = "s", .target = "'input'" },
  { "walk", N_ ("To the Next Sibling"), N_ ("Select the next node with the same input"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "<Control>Right", .parameter = "s",
    .target = "'next'" },
  { "walk", N_ ("To the Previous Sibling"), N_ ("Select the previous node with the same input"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "<Control>Left", .parameter = "s",
    .target = "'previous'" },
  { "neighbour", N_ ("Next Neighbour"), N_ ("Select the neighbours of a node in turn"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "Tab", .parameter = "i", .target = "1" },
  { "neighbour", N_ ("Previous Neighbour"), N_ ("Select the previous neighbour of the node"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "<Shift>Tab", .parameter = "i", .target = "-1" },
  { "copy-text", N_ ("Copy as _Text"), N_ ("Copy the contents of the inspector as text"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "<Control>c", .lua = "describe(sel)" },
  { "copy-lua", N_ ("Copy as _Lua"), N_ ("Copy what is selected as a script names it"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "<Control><Shift>c" },
  { "copy-rows", N_ ("Copy _Rows"), N_ ("Copy the selected rows of the table of nodes"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE, .accels = NULL },

  { "search", N_ ("_Search"), N_ ("Search for nodes"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .accels = "<Control>f", .keys = "slash",
    .lua = "g:where \"cost > 1ms and device = 'gpu:1'\"" },
  { "next-match", N_ ("_Next Match"), N_ ("Select the next match"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .accels = "<Control>g F3" },
  { "previous-match", N_ ("_Previous Match"), N_ ("Select the previous match"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .accels = "<Control><Shift>g <Shift>F3" },
  { "select-matches", N_ ("Select _All Matches"), N_ ("Select all that matches the search"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE, .lua = "view.select(g:where \"...\")" },
  { "filter-matches", N_ ("_Filter"), N_ ("Hide what does not match the search"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE, .lua = "view.hide(g:where \"not (...)\")" },
  { "hide-matches", N_ ("_Hide Matches"), N_ ("Hide what matches the search"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE, .lua = "g:where(\"...\"):hide()" },
  { "close-search", N_ ("_Close the Search"), N_ ("Close the search; hidden nodes stay hidden"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE, .accels = NULL },
  { "run-script", N_ ("_Run the Script"), N_ ("Run the script of the script pane"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_NONE,
    .accels = "F8" },
  { "run-selection", N_ ("Run the _Lines"),
    N_ ("Run the selected lines of the script, or the line of the cursor"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_NONE,
    .accels = "<Shift>F8" },
  { "save-script", N_ ("_Save the Script"), N_ ("Save the script of the script pane"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_NONE,
    .lua = NULL },
  { "console-history", N_ ("Search the _History of the Console"),
    N_ ("Find a line that was typed in the console before"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_NONE,
    .lua = NULL },
  { "palette", N_ ("_Commands"), N_ ("Find any command by a few letters"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_SCREEN,
    .accels = "<Control><Shift>p", .lua = "help()" },
  { "back", N_ ("_Back"), N_ ("Go back to where you were"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .accels = "<Alt>Left" },
  { "forward", N_ ("_Forward"), N_ ("Go forward again"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .accels = "<Alt>Right" },
  { "store-view", N_ ("Store a View"), N_ ("Save the current view as a numbered bookmark"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .accels = "<Control><Alt>1 <Control><Alt>2 <Control><Alt>3 <Control><Alt>4 <Control><Alt>5 "
              "<Control><Alt>6 <Control><Alt>7 <Control><Alt>8 <Control><Alt>9",
    .parameter = "i", .is_numbered = TRUE,
    .lua = "view.snapshot(1)" },
  { "scene-add", N_ ("_Add a Scene"), N_ ("Make a scene of what is shown, after the current one"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .accels = "<Control><Alt>s",
    .lua = "scene.add{ text = \"The expert's plan\" }" },
  { "scene-next", N_ ("Ne_xt Scene"), N_ ("Show the next scene"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .keys = "Page_Down", .lua = "scene.next()" },
  { "scene-previous", N_ ("Pre_vious Scene"), N_ ("Show the previous scene"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .keys = "Page_Up", .lua = "scene.previous()" },
  { "scene", N_ ("_Go to a Scene"), N_ ("Show the scene of that number"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE, .parameter = "i",
    .lua = "scene.go(1)" },
  { "scene-update", N_ ("_Update the Scene"), N_ ("Replace all but its caption by what is shown"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .lua = "scene.update()" },
  { "scene-earlier", N_ ("Scene _Earlier"), N_ ("Move the scene one place to the front"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .lua = "scene.move(2, 1)" },
  { "scene-later", N_ ("Scene _Later"), N_ ("Move the scene one place to the end"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .lua = "scene.move(1, 2)" },
  { "scene-remove", N_ ("_Remove the Scene"), N_ ("Remove the scene; undo brings it back"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .lua = "scene.remove()" },
  { "recall-view", N_ ("Recall a View"), N_ ("Go to the view kept under a number"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .keys = "1 2 3 4 5 6 7 8 9", .parameter = "i",
    .is_numbered = TRUE, .lua = "view.recall(1)" },

  { "play", N_ ("_Play"), N_ ("Play or pause the run"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "space" },
  { "play-speed", N_ ("_Faster"), N_ ("Play twice as fast"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Shift>period greater", .parameter = "d",
    .target = "2.0" },
  { "play-speed", N_ ("_Slower"), N_ ("Play half as fast"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Shift>comma less", .parameter = "d",
    .target = "0.5" },
  { "seek", N_ ("To the _Start"), N_ ("Show the start of the run"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "Home", .parameter = "i", .target = "-1" },
  { "seek", N_ ("To the _End"), N_ ("Show the end of the run"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "End", .parameter = "i", .target = "1" },
  { "event", N_ ("Next _Event"),
    N_ ("Show the moment at which the next op or transfer starts or finishes"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "e", .parameter = "i", .target = "1",
    .lua = "view.event(1)" },
  { "event", N_ ("Previous E_vent"), N_ ("Show the moment of the previous event"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Shift>e", .parameter = "i", .target = "-1",
    .lua = "view.event(-1)" },
  { "device-event", N_ ("Next Event of the _Device"),
    N_ ("Show the next event on the devices of the selection"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "n", .parameter = "i", .target = "1",
    .lua = "view.event(1, \"gpu:0\")" },
  { "device-event", N_ ("Previous Event of the De_vice"),
    N_ ("Show the previous event on the devices of the selection"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Shift>n", .parameter = "i", .target = "-1",
    .lua = "view.event(-1, \"gpu:0\")" },
  { "play-loop", N_ ("_Loop"), N_ ("At the end, play from the start again"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "l", .state = "false" },
  { "no-time", N_ ("Leave the Mo_ment"), N_ ("Show the whole run without a time cursor"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE, .lua = "view.time()" },
  { "why", N_ ("_Why"), N_ ("Explain a gap, or why an op did not start earlier"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "y" },
  { "arrows", N_ ("Sh_ow More Dependencies"),
    N_ ("Show dependencies of the selection one step further"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "bracketright", .parameter = "i", .target = "1" },
  { "arrows", N_ ("Show _Fewer Dependencies"),
    N_ ("Show dependencies of the selection one step less far"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "bracketleft", .parameter = "i", .target = "-1" },
  { "all-lanes", N_ ("_Original Lanes"),
    N_ ("Show only the bars of devices in the timeline, in the original order"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .lua = "view.lanes{}" },
  { "fold-lane", N_ ("_Open Lane"),
    N_ ("Show memory and links of the device under the pointer, or of the selected op"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Shift>Right", .parameter = "b", .target = "true",
    .lua = "view.lanes{ open = { \"gpu:0\" } }" },
  { "fold-lane", N_ ("_Close Lane"), N_ ("Hide memory and links of that device"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Shift>Left", .parameter = "b", .target = "false",
    .lua = "view.lanes{}" },
  { "move-lane", N_ ("Lane _Up"), N_ ("Move the lane under the pointer one place up"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Alt>Up", .parameter = "i", .target = "-1",
    .lua = "view.lanes{ order = { \"gpu:1\", \"gpu:0\" } }" },
  { "move-lane", N_ ("Lane _Down"), N_ ("Move that lane one place down"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Alt>Down", .parameter = "i", .target = "1",
    .lua = "view.lanes{ order = { \"gpu:1\", \"gpu:0\" } }" },
  { "mark", N_ ("_Mark the Time"), N_ ("Add or remove a mark at the pointer"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "m", .lua = "view.mark(\"12.4ms\", \"A\")" },
  { "go-mark", N_ ("_Next Mark"), N_ ("Show the moment of the next mark"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Shift>m", .parameter = "i", .target = "1",
    .lua = "view.time \"A\"" },
  { "go-mark", N_ ("Previous Mar_k"), N_ ("Show the moment of the previous mark"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Control><Shift>m", .parameter = "i",
    .target = "-1", .lua = "view.time \"A\"" },
  { "show-mark", N_ ("_Go to a Mark"), N_ ("Show the moment of the mark of that name"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE, .parameter = "s", .lua = "view.time \"A\"" },
  { "name-mark", N_ ("Name the Mar_k…"), N_ ("Give the mark under the pointer another name"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Control>m",
    .lua = "view.mark(\"12.4ms\", \"warm-up\")" },
  { "clear-marks", N_ ("Remo_ve All Marks"), N_ ("Take all marks off the timeline"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE, .lua = "view.unmark()" },

  { "decision", N_ ("_Next Decision"), N_ ("Show the plan after the next decision of the policy"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .parameter = "i", .target = "1",
    .lua = "view.moment(12)" },
  { "decision", N_ ("Previous _Decision"), N_ ("Show the plan before this decision"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .parameter = "i", .target = "-1",
    .lua = "view.moment(11)" },
  { "decision-plan", N_ ("Ne_xt Plan"), N_ ("Show the first decision of the next plan"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .accels = "<Alt>period", .parameter = "i", .target = "1" },
  { "decision-plan", N_ ("Pre_vious Plan"), N_ ("Show the first decision of the plan before"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .accels = "<Alt>comma", .parameter = "i", .target = "-1" },
  { "breakpoint", N_ ("_Breakpoint"), N_ ("Stop the player at this decision, or no more"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "b", .lua = "view.stop_at{ 12, 40 }" },
  { "review-decisions", N_ ("_Review Decisions"),
    N_ ("Simulate the options not taken, and list the costliest decisions"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .lua = "r.decisions:review(3)" },
  { "decision", N_ ("_First Decision"), N_ ("Show the plan that the policy began with"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE, .parameter = "i", .target = "-2",
    .lua = "view.moment(0)" },
  { "decision", N_ ("_Last Decision"), N_ ("Show the plan after the last decision"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE, .parameter = "i", .target = "2",
    .lua = "view.moment(#r.decisions)" },
  { "play-decisions", N_ ("_Play the Decisions"), N_ ("Play or pause the decisions of the policy"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE, .accels = NULL },
  { "keep-decision", N_ ("_Keep This Plan"), N_ ("Add the plan of this decision to the list"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "k",
    .lua = "view.show(r.decisions[12]:plan())" },
  { "continue-decision", N_ ("_Continue From This Decision With…"),
    N_ ("Choose a search that goes on from the plan of this decision"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .lua = "view.show(r.decisions[12]:continue(\"anneal\", { evals = 500 }))" },
  { "fork", N_ ("Continue From This Decision"),
    N_ ("Go on from this decision with that policy and budget"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE, .parameter = "(st)",
    .lua = "view.show(r.decisions[12]:continue(\"anneal\", { evals = 500 }))" },
  { "no-decision", N_ ("Lea_ve the Decisions"), N_ ("Show the finished plan again"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .lua = "view.moment()" },

  { "preferences", N_ ("_Preferences"),
    N_ ("Change appearance, font size, recovery and recent files"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_ABOUT,
    .accels = "<Control>comma" },
  { "shortcuts", N_ ("_Keyboard Shortcuts"), N_ ("Show this list"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_ABOUT,
    .accels = "<Control>question",
    .lua = "help()" },
  { "glossary", N_ ("_Glossary"), N_ ("What terms such as makespan and upward rank mean"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_ABOUT,
    .accels = "<Shift>F1", .lua = "lesson.term \"makespan\"" },
  { "lesson", N_ ("_Take a Lesson"), N_ ("Open a lesson or a challenge"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_NONE, .parameter = "s", .lua = "lesson.open(1)" },
  { "lesson-next", N_ ("_Next Step of the Lesson"), N_ ("Go to the next step"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_NONE,
    .accels = "<Alt>Page_Down", .lua = "lesson.next()" },
  { "lesson-previous", N_ ("_Previous Step of the Lesson"),
    N_ ("Go to the previous step, as it begins"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_NONE,
    .accels = "<Alt>Page_Up", .lua = "lesson.previous()" },
  { "lesson-check", N_ ("_Check the Task"), N_ ("Check whether the task of the lesson is done"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_NONE,
    .accels = "<Alt>Return", .lua = "lesson.check()" },
  { "lesson-hint", N_ ("Show a _Hint"), N_ ("Show the next hint to the task"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_NONE, .lua = "lesson.hint()" },
  { "lesson-solve", N_ ("_Solve the Task"), N_ ("Do the task, or reveal the rivals"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_NONE, .lua = "lesson.solve()" },
  { "lesson-reset", N_ ("_Begin the Step Again"), N_ ("Restore what the step began with"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_NONE, .lua = "lesson.reset()" },
  { "lesson-answer", N_ ("_Answer the Question"), N_ ("Choose an answer of the lesson"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_NONE, .parameter = "i", .state = "-1",
    .lua = "lesson.answer(1)" },
  { "lesson-close", N_ ("_Close the Lesson"), N_ ("Show the list of lessons again"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_NONE, .lua = "lesson.close()" },
  { "help", N_ ("_Help on This"),
    N_ ("Explain the word at the prompt; elsewhere, show the keyboard shortcuts"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_NONE,
    .accels = "F1",
    .lua = "help \"graph.load\"" },
  { "about", N_ ("_About Goban"), N_ ("Version and licence"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_ABOUT,
    .lua = "app.version" },
  { "close", N_ ("_Close Window"), N_ ("Close the window"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_NONE,
    .accels = "<Control>w" },
  { "quit", N_ ("_Quit"), N_ ("Quit"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_ABOUT,
    .accels = "<Control>q",
    .lua = "os.exit()" },
};
/* clang-format on */

static const char *const group_titles[GOBAN_N_GROUPS] = {
  [GOBAN_GROUP_FILE] = N_ ("Files"),      [GOBAN_GROUP_PLAN] = N_ ("Plans"),
  [GOBAN_GROUP_EDIT] = N_ ("Editing"),    [GOBAN_GROUP_VIEW] = N_ ("Pictures"),
  [GOBAN_GROUP_PANES] = N_ ("Panes"),     [GOBAN_GROUP_SELECTION] = N_ ("Selection (in a picture)"),
  [GOBAN_GROUP_FINDING] = N_ ("Finding"), [GOBAN_GROUP_TIME] = N_ ("Timeline (in a picture)"),
  [GOBAN_GROUP_GENERAL] = N_ ("General"),
};

const GobanActionInfo *
goban_actions (gsize *n)
{
  *n = G_N_ELEMENTS (actions);
  return actions;
}

const GobanActionInfo *
goban_action_find (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    if (g_str_equal (actions[i].name, name))
      return &actions[i];

  return NULL;
}

const char *
goban_action_group_title (GobanActionGroup group)
{
  return _ (group_titles[group]);
}

char *
goban_action_detailed_name (const GobanActionInfo *info)
{
  if (info->target == NULL)
    return g_strconcat ("win.", info->name, NULL);

  return g_strdup_printf ("win.%s(%s)", info->name, info->target);
}

char *
goban_action_dup_label (const GobanActionInfo *info)
{
  g_auto (GStrv) pieces = g_strsplit (_ (info->label), "_", -1);

  return g_strjoinv ("", pieces);
}

char **
goban_action_split_keys (const char *keys)
{
  return g_strsplit (keys != NULL ? keys : "", " ", -1);
}

/* Other keys are the application's, which GTK finds itself. */
static void
set_wide_key (GMenuItem *item, const char *keys)
{
  g_auto (GStrv) each = goban_action_split_keys (keys);

  if (each[0] != NULL)
    g_menu_item_set_attribute (item, "accel", "s", each[0]);
}

GMenu *
goban_actions_make_section (GobanActionMenu section)
{
  GMenu *part = g_menu_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    if (actions[i].menu == section)
      {
        g_autofree char *name = goban_action_detailed_name (&actions[i]);
        g_autoptr (GMenuItem) item = g_menu_item_new (_ (actions[i].label), name);

        set_wide_key (item, actions[i].wide);
        g_menu_append_item (part, item);
      }
  return part;
}

/* The first way to press the keys of a row, or NULL. (transfer full) */
static char *
dup_first_key (const GobanActionInfo *info)
{
  const char *all = info->accels != NULL ? info->accels
                    : info->wide != NULL ? info->wide
                                         : info->keys;

  return all != NULL ? g_strndup (all, strcspn (all, " ")) : NULL;
}

char *
goban_action_dup_keys (const GobanActionInfo *info)
{
  g_autofree char *key = dup_first_key (info);
  guint keyval;
  GdkModifierType modifiers;

  if (key == NULL || !gtk_accelerator_parse (key, &keyval, &modifiers))
    return g_strdup ("");
  return gtk_accelerator_get_label (keyval, modifiers);
}

char *
goban_action_tooltip_for (const char *name, const char *text)
{
  const GobanActionInfo *info = goban_action_find (name);
  g_autofree char *label = NULL;

  g_return_val_if_fail (info != NULL, NULL);

  label = goban_action_dup_keys (info);
  if (*label == '\0')
    return g_strdup (text);
  return g_strdup_printf ("%s (%s)", text, label);
}

char *
goban_action_tooltip (const char *name)
{
  const GobanActionInfo *info = goban_action_find (name);

  g_return_val_if_fail (info != NULL, NULL);

  return goban_action_tooltip_for (name, _ (info->help));
}

/* --- shortcuts -------------------------------------------------------------------------------- */

static void
add_numbered_accels (GtkApplication *application, const GobanActionInfo *info)
{
  g_auto (GStrv) accels = goban_action_split_keys (info->accels);

  for (guint k = 0; accels[k] != NULL; k++)
    {
      g_autofree char *name = g_strdup_printf ("win.%s(%u)", info->name, k + 1);
      const char *const one[] = { accels[k], NULL };

      gtk_application_set_accels_for_action (application, name, one);
    }
}

void
goban_actions_add_accels (GtkApplication *application)
{
  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      g_autofree char *name = goban_action_detailed_name (&actions[i]);
      g_auto (GStrv) accels = goban_action_split_keys (actions[i].accels);

      if (actions[i].is_numbered)
        add_numbered_accels (application, &actions[i]);
      else if (accels[0] != NULL)
        gtk_application_set_accels_for_action (application, name, (const char *const *) accels);
    }
}

static gboolean
is_text (GtkWidget *widget)
{
  return widget != NULL && (GTK_IS_TEXT (widget) || GTK_IS_TEXT_VIEW (widget));
}

/* For a controller of a window; @user_data: the name of an action. */
static gboolean
activate_wide_cb (GtkWidget *window, GVariant *target, gpointer user_data)
{
  if (is_text (gtk_window_get_focus (GTK_WINDOW (window))))
    return FALSE;

  return gtk_widget_activate_action_variant (window, user_data, target);
}

/* A character, as opposed to keys that move the focus, scroll or press a button. */
static gboolean
is_character (const char *key)
{
  guint keyval;
  GdkModifierType modifiers;

  return gtk_accelerator_parse (key, &keyval, &modifiers)
         && (modifiers & ~(GdkModifierType) GDK_SHIFT_MASK) == 0
         && g_unichar_isgraph (gdk_keyval_to_unicode (keyval));
}

typedef enum
{
  KEYS_ALL,
  KEYS_WIDE,       /* left to text that has the focus */
  KEYS_CHARACTERS, /* others are not added */
} KeySet;

/* Adds a row's @keys to a controller. */
static void
add_shortcuts (GtkEventController *controller, const GobanActionInfo *info, const char *keys,
               KeySet set)
{
  g_autofree char *name = g_strconcat ("win.", info->name, NULL);
  g_auto (GStrv) each = goban_action_split_keys (keys);

  /* Menus show the key that was added last, which is to be the row's first. */
  for (guint k = g_strv_length (each); k-- > 0;)
    {
      GtkShortcutAction *action;
      GtkShortcut *shortcut;

      if (set == KEYS_CHARACTERS && !is_character (each[k]))
        continue;
      action = set == KEYS_WIDE
                   ? gtk_callback_action_new (activate_wide_cb, g_strdup (name), g_free)
                   : gtk_named_action_new (name);
      shortcut = gtk_shortcut_new (gtk_shortcut_trigger_parse_string (each[k]), action);
      if (info->is_numbered)
        gtk_shortcut_set_arguments (shortcut, g_variant_new_int32 ((gint32) k + 1));
      if (info->target != NULL)
        {
          g_autoptr (GVariant) target = g_variant_parse (NULL, info->target, NULL, NULL, NULL);

          gtk_shortcut_set_arguments (shortcut, target);
        }
      gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller), shortcut);
    }
}

static void
add_controller (GtkWidget *widget, KeySet set)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    add_shortcuts (controller, &actions[i], set == KEYS_WIDE ? actions[i].wide : actions[i].keys,
                   set);
  gtk_widget_add_controller (widget, controller);
}

void
goban_actions_add_keys (GtkWidget *picture)
{
  add_controller (picture, KEYS_ALL);
}

void
goban_actions_add_character_keys (GtkWidget *pane)
{
  add_controller (pane, KEYS_CHARACTERS);
}

void
goban_actions_add_wide_keys (GtkWidget *window)
{
  add_controller (window, KEYS_WIDE);
}
