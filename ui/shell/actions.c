#include "ui/shell/actions.h"

#include "engine/base/i18n.h"
#include "ui/shell/window-private.h"

#include <string.h>

/* Keys with a meaning for GTK's own text widgets are never taken while one has the focus:
 * single letters are in the column of the pictures. */
/* clang-format off */
static const GobanActionInfo actions[] = {
  { "open", N_ ("_Open…"), N_ ("Open a session, a graph or a plan"),
    GOBAN_GROUP_FILE, GOBAN_MENU_FILE,
    .accels = "<Control>o", .activate = goban_window_choose_file,
    .lua = "app.open \"model.onnx\"" },
  { "open-path", N_ ("Open a _file"), N_ ("Open the file of that name"),
    GOBAN_GROUP_FILE, GOBAN_MENU_NONE,
    .activate = goban_window_open_path, .parameter = "s",
    .lua = "app.open \"model.onnx\"" },
  { "generate", N_ ("_Generate…"), N_ ("Make the graph of a published model"),
    GOBAN_GROUP_FILE, GOBAN_MENU_FILE,
    .accels = "<Control>n", .activate = goban_window_generate,
    .lua = "graph.generate \"gnmt:layers=8\"" },
  { "reload", N_ ("_Reload"), N_ ("Read the file again"),
    GOBAN_GROUP_FILE, GOBAN_MENU_FILE, .accels = "F5", .activate = goban_window_reload,
    .lua = "app.open \"model.onnx\"" },
  { "save", N_ ("_Save"), N_ ("Save the session: graph, plans, view and notes"),
    GOBAN_GROUP_FILE, GOBAN_MENU_FILE,
    .accels = "<Control>s", .activate = goban_window_save_session,
    .lua = "app.save_session \"session.goban\"" },
  { "save-as", N_ ("Save _as…"), N_ ("Save the session under another name"),
    GOBAN_GROUP_FILE, GOBAN_MENU_FILE,
    .accels = "<Control><Shift>s", .activate = goban_window_save_session_as,
    .lua = "app.save_session \"session.goban\"" },
  { "save-plan", N_ ("Save _plan…"), N_ ("Save the plan that is shown"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .activate = goban_window_save_plan,
    .lua = "p:save \"plan.json\"" },
  { "export-changes", N_ ("Export _changes…"), N_ ("Save the nodes that differ between the compared plans, as CSV"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .activate = goban_window_export_changes,
    .lua = "app.write(\"changes.csv\", compare(1, 2):csv \"100us\")" },
  { "export-report", N_ ("Export _report…"), N_ ("Save pages about the compared plans as PDF, SVG or PNG"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .activate = goban_window_export_report,
    .lua = "compare(1, 2):report \"report.pdf\"" },
  { "export-graph", N_ ("Export _graph…"), N_ ("Save the graph, or what is seen of it, as SVG, PNG or PDF"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .accels = "<Control>e", .activate = goban_window_export_graph,
    .lua = "view.save \"graph.svg\"" },
  { "export-table", N_ ("Export ta_ble…"), N_ ("Save the nodes as CSV, for a spreadsheet"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .activate = goban_window_export_table,
    .lua = "view.save \"nodes.csv\"" },
  { "export-timeline", N_ ("Export _timeline…"), N_ ("Save the timeline, or what is seen of it, as SVG, PNG or PDF"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .accels = "<Control><Shift>e", .activate = goban_window_export_timeline,
    .lua = "view.save(\"timeline.svg\", { view = \"timeline\" })" },
  { "export-trace", N_ ("Export t_race…"), N_ ("Save the trace for Perfetto and chrome://tracing"),
    GOBAN_GROUP_FILE, GOBAN_MENU_EXPORT,
    .activate = goban_window_export_trace,
    .lua = "r:trace \"trace.json\"" },

  { "place", N_ ("_Place with"), N_ ("Place the graph with a policy"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .activate = goban_window_place, .parameter = "s",
    .lua = "view.show(sim.run(plan.heft(g)))" },
  { "place-with", N_ ("Place with a _budget"), N_ ("Place the graph with a policy, seed, simulations, seconds and tasks"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .activate = goban_window_place_with, .parameter = "(sttds)",
    .lua = "view.show(sim.run(plan.anneal(g, { evals = 500 })))" },
  { "place-quick", N_ ("Place with all _quick"), N_ ("Place the graph with every quick policy"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE, .activate = goban_window_place_quick,
    .lua = "compare.policies(g, { \"heft\", \"metis\" })" },
  { "choose-policy", N_ ("Place…"), N_ ("Choose a policy to place the graph with"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .accels = "<Control>p", .activate = goban_window_choose_policy,
    .lua = "policy.list()" },
  { "cluster", N_ ("_Cluster"), N_ ("Choose the devices to place on"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .activate = goban_window_choose_preset, .parameter = "s",
    .lua = "app.cluster \"p100x8\"" },
  { "cluster-file", N_ ("Cluster _file…"), N_ ("Read the devices from a JSON file"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .activate = goban_window_choose_cluster_file,
    .lua = "app.cluster(cluster.load \"cluster.json\")" },
  { "devices", N_ ("_Devices and links…"), N_ ("Change devices and links: what if they were faster"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_PANES,
    .accels = "<Control>d", .activate = goban_window_show_devices, .parameter = "s",
    .target = "''",
    .lua = "app.device(\"gpu:1\", { speed = 1.5 })" },
  { "next-plan", N_ ("_Next plan"), N_ ("Show the next plan of the list"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .accels = "<Control>Page_Down", .activate = goban_window_next_plan,
    .lua = "view.show(2)" },
  { "previous-plan", N_ ("Pre_vious plan"), N_ ("Show the previous plan of the list"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .accels = "<Control>Page_Up", .activate = goban_window_previous_plan,
    .lua = "view.show(1)" },
  { "remove-plan", N_ ("_Remove plan"), N_ ("Remove the current plan from the list"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .activate = goban_window_remove_plan,
    .lua = "view.remove(r)" },
  { "stop", N_ ("_Stop"), N_ ("Stop what is running; a search keeps its best plan"),
    GOBAN_GROUP_PLAN, GOBAN_MENU_NONE,
    .accels = "<Control>period", .activate = goban_window_stop },

  { "undo", N_ ("_Undo"), N_ ("Undo"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_EDIT,
    .wide = "<Control>z", .activate = goban_window_undo,
    .lua = "app.undo()" },
  { "redo", N_ ("_Redo"), N_ ("Redo"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_EDIT,
    .wide = "<Control><Shift>z <Control>y", .activate = goban_window_redo,
    .lua = "app.redo()" },
  { "device-key", N_ ("To _device…"), N_ ("Move the selection to a device: press 0 to 9"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_NONE,
    .keys = "d", .activate = goban_window_device_key },
  { "move-selection", N_ ("_Move to device"), N_ ("Move the selection to the device of that number"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_NONE,
    .activate = goban_window_move_selection, .parameter = "i",
    .lua = "sel:move \"gpu:1\"" },
  { "urgency", N_ ("Ra_ise priority"), N_ ("Run the selection before the next op of its device"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_SELECTION,
    .keys = "plus equal KP_Add", .activate = goban_window_change_urgency, .parameter = "i",
    .target = "1",
    .lua = "sel:prio \"up\"" },
  { "urgency", N_ ("Lo_wer priority"), N_ ("Run the selection after the next op of its device"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_SELECTION,
    .keys = "minus KP_Subtract", .activate = goban_window_change_urgency, .parameter = "i",
    .target = "-1",
    .lua = "sel:prio \"down\"" },
  { "fuse", N_ ("_Fuse"), N_ ("Fuse the selection into one kernel"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_SELECTION,
    .activate = goban_window_fuse, .parameter = "b", .target = "true",
    .lua = "sel:fuse()" },
  { "fuse", N_ ("Un_fuse"), N_ ("Split the kernels of the selection"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_SELECTION,
    .activate = goban_window_fuse, .parameter = "b", .target = "false",
    .lua = "sel:unfuse()" },
  { "pin", N_ ("_Pin"), N_ ("Keep the selection on its device"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_SELECTION,
    .activate = goban_window_pin, .parameter = "b", .target = "true",
    .lua = "sel:pin()" },
  { "pin", N_ ("Unp_in"), N_ ("Allow the selection to be moved"),
    GOBAN_GROUP_EDIT, GOBAN_MENU_SELECTION,
    .activate = goban_window_pin, .parameter = "b", .target = "false",
    .lua = "sel:unpin()" },

  { "hide", N_ ("_Hide"), N_ ("Hide the selection"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_SELECTION,
    .keys = "h", .activate = goban_window_hide,
    .lua = "sel:hide()" },
  { "unhide", N_ ("Show _all"), N_ ("Show all hidden nodes"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_SELECTION,
    .keys = "u", .activate = goban_window_unhide,
    .lua = "view.hide()" },
  { "fit", N_ ("_Fit"), N_ ("Show the whole picture"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .accels = "<Control>0", .keys = "0", .activate = goban_window_fit,
    .lua = "view.zoom \"fit\"" },
  { "centre", N_ ("_Centre the selection"), N_ ("Show the selection in the middle; again, the whole of it"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .keys = "f", .activate = goban_window_centre },
  { "zoom-selection", N_ ("Zoom to _selection"), N_ ("Show the selection"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .keys = "<Shift>f", .activate = goban_window_zoom_selection,
    .lua = "view.zoom \"selection\"" },
  { "open-group", N_ ("_Open group"), N_ ("Open the selected group, or show the selection"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .keys = "Return KP_Enter", .activate = goban_window_open_group,
    .lua = "view.expand \"decoder\"" },
  { "close-group", N_ ("_Close group"), N_ ("Close the group around the selection"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .keys = "BackSpace", .activate = goban_window_close_group,
    .lua = "view.collapse \"decoder\"" },
  { "close-groups", N_ ("Close _all groups"), N_ ("Close all groups"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .keys = "<Shift>BackSpace", .activate = goban_window_close_groups,
    .lua = "view.expanded{}" },
  { "group", N_ ("_Automatic"), N_ ("Group nodes where there are many"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .parameter = "s", .state = "'auto'", .changed = goban_window_group_changed,
    .target = "'auto'",
    .lua = "view.group \"auto\"" },
  { "group", N_ ("_None"), N_ ("Show every node"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .parameter = "s", .state = "'auto'", .changed = goban_window_group_changed,
    .target = "'none'",
    .lua = "view.group \"none\"" },
  { "group", N_ ("By _scope"), N_ ("Group by the scopes of names"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .parameter = "s", .state = "'auto'", .changed = goban_window_group_changed,
    .target = "'scope'",
    .lua = "view.group \"scope\"" },
  { "group", N_ ("By _layer"), N_ ("Group by numbered layers"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .parameter = "s", .state = "'auto'", .changed = goban_window_group_changed,
    .target = "'layer'",
    .lua = "view.group \"layer\"" },
  { "group", N_ ("By _time step"), N_ ("Group by time steps of unrolled networks"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .parameter = "s", .state = "'auto'", .changed = goban_window_group_changed,
    .target = "'step'",
    .lua = "view.group \"step\"" },
  { "group", N_ ("By _parameter"), N_ ("Group by parameter"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .parameter = "s", .state = "'auto'", .changed = goban_window_group_changed,
    .target = "'parameter'",
    .lua = "view.group \"parameter\"" },
  { "group", N_ ("By parameter _use"), N_ ("Group by first, second and later uses of parameters"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .parameter = "s", .state = "'auto'", .changed = goban_window_group_changed,
    .target = "'use'",
    .lua = "view.group \"use\"" },
  { "group", N_ ("By _fused kernel"), N_ ("Group by fused kernel"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_GROUP,
    .parameter = "s", .state = "'auto'", .changed = goban_window_group_changed,
    .target = "'cluster'",
    .lua = "view.group \"cluster\"" },
  { "layout", N_ ("_Automatic"), N_ ("Layers, in columns where they are many"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_ARRANGE,
    .parameter = "s", .state = "'auto'", .changed = goban_window_layout_changed,
    .target = "'auto'",
    .lua = "view.layout \"auto\"" },
  { "layout", N_ ("In _layers"), N_ ("Producers above consumers"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_ARRANGE,
    .parameter = "s", .state = "'auto'", .changed = goban_window_layout_changed,
    .target = "'layered'",
    .lua = "view.layout \"layered\"" },
  { "layout", N_ ("In _columns"), N_ ("Layers in columns"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_ARRANGE,
    .parameter = "s", .state = "'auto'", .changed = goban_window_layout_changed,
    .target = "'wrapped'",
    .lua = "view.layout \"wrapped\"" },
  { "layout", N_ ("By _device and time"), N_ ("The schedule of the plan, a lane for each device"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_ARRANGE,
    .parameter = "s", .state = "'auto'", .changed = goban_window_layout_changed,
    .target = "'lanes'",
    .lua = "view.layout \"lanes\"" },
  { "morph", N_ ("Graph or _schedule"), N_ ("From the graph to the schedule of the plan, and back"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_ARRANGE,
    .keys = "g", .activate = goban_window_morph,
    .lua = "view.layout \"lanes\"" },
  { "zoom-in", N_ ("Zoom _in"), N_ ("Zoom in"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .accels = "<Control>plus <Control>equal <Control>KP_Add", .keys = "w",
    .activate = goban_window_zoom_in },
  { "zoom-out", N_ ("Zoom _out"), N_ ("Zoom out"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .accels = "<Control>minus <Control>KP_Subtract", .keys = "s",
    .activate = goban_window_zoom_out },
  { "pan", N_ ("Pan left"), N_ ("Go left"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .keys = "a Left", .activate = goban_window_pan, .parameter = "s", .target = "'left'" },
  { "pan", N_ ("Pan right"), N_ ("Go right"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .keys = "Right", .activate = goban_window_pan, .parameter = "s", .target = "'right'" },
  { "pan", N_ ("Pan up"), N_ ("Go up"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .keys = "Up", .activate = goban_window_pan, .parameter = "s", .target = "'up'" },
  { "pan", N_ ("Pan down"), N_ ("Go down"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_NONE,
    .keys = "Down", .activate = goban_window_pan, .parameter = "s", .target = "'down'" },
  { "color", N_ ("Colour by _device"), N_ ("Colour by device"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_LOOK,
    .accels = "<Control>1", .parameter = "s", .state = "'device'",
    .changed = goban_window_color_changed, .target = "'device'",
    .lua = "view.color \"device\"" },
  { "color", N_ ("Colour by _priority"), N_ ("Colour by priority"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_LOOK,
    .accels = "<Control>2", .parameter = "s", .state = "'device'",
    .changed = goban_window_color_changed, .target = "'priority'",
    .lua = "view.color \"priority\"" },
  { "critical-path", N_ ("_Critical path"), N_ ("Show or hide the critical path"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_LOOK,
    .keys = "p", .state = "false", .changed = goban_window_critical_changed,
    .lua = "r:critical_path()" },
  { "minimap", N_ ("_Map"), N_ ("Show or hide the map of the whole graph"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_LOOK,
    .keys = "<Alt>m", .state = "true", .changed = goban_window_minimap_changed },
  { "dark", N_ ("_Dark"), N_ ("Light or dark"),
    GOBAN_GROUP_VIEW, GOBAN_MENU_LOOK,
    .state = "false", .changed = goban_window_dark_changed },

  { "explore", N_ ("_Explore"), N_ ("One plan, to be explored and changed"),
    GOBAN_GROUP_PANES, GOBAN_MENU_COMPARE,
    .accels = "<Alt>1", .activate = goban_window_explore,
    .lua = "compare.close()" },
  { "compare", N_ ("_Compare plans"), N_ ("Two to four plans beside each other"),
    GOBAN_GROUP_PANES, GOBAN_MENU_COMPARE,
    .accels = "<Alt>2", .activate = goban_window_compare,
    .lua = "compare.show()" },
  { "compare-mode", N_ ("_Side by side"), N_ ("Compare in a pane for each plan"),
    GOBAN_GROUP_PANES, GOBAN_MENU_COMPARE,
    .parameter = "s", .state = "'side'", .changed = goban_window_compare_mode_changed,
    .target = "'side'",
    .lua = "compare.mode \"side\"" },
  { "compare-mode", N_ ("_Overlay"), N_ ("Compare two plans in one picture, each node in two halves"),
    GOBAN_GROUP_PANES, GOBAN_MENU_COMPARE,
    .parameter = "s", .state = "'side'", .changed = goban_window_compare_mode_changed,
    .target = "'overlay'",
    .lua = "compare.mode \"overlay\"" },
  { "compare-mode", N_ ("_Blink"), N_ ("Compare by turns in one picture: hold B or Space for the first plan"),
    GOBAN_GROUP_PANES, GOBAN_MENU_COMPARE,
    .parameter = "s", .state = "'side'", .changed = goban_window_compare_mode_changed,
    .target = "'blink'",
    .lua = "compare.mode \"blink\"" },
  { "compare-mode", N_ ("_Difference only"), N_ ("Show only the differences"),
    GOBAN_GROUP_PANES, GOBAN_MENU_COMPARE,
    .parameter = "s", .state = "'side'", .changed = goban_window_compare_mode_changed,
    .target = "'difference'",
    .lua = "compare.mode \"difference\"" },
  { "compare-swap", N_ ("S_wap"), N_ ("Swap the two compared plans"),
    GOBAN_GROUP_PANES, GOBAN_MENU_COMPARE,
    .accels = "<Alt>x", .activate = goban_window_compare_swap,
    .lua = "compare.swap()" },
  { "compare-unchanged", N_ ("S_how unchanged nodes"), N_ ("Nodes that two plans have alike are shown"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .parameter = "s", .state = "'dim'", .changed = goban_window_compare_unchanged_changed,
    .target = "'show'",
    .lua = "compare.unchanged \"show\"" },
  { "compare-unchanged", N_ ("Di_m unchanged nodes"), N_ ("Dim nodes that are equal in both plans"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .parameter = "s", .state = "'dim'", .changed = goban_window_compare_unchanged_changed,
    .target = "'dim'",
    .lua = "compare.unchanged \"dim\"" },
  { "compare-unchanged", N_ ("H_ide unchanged nodes"), N_ ("Nodes that two plans have alike are not shown"),
    GOBAN_GROUP_PANES, GOBAN_MENU_NONE,
    .parameter = "s", .state = "'dim'", .changed = goban_window_compare_unchanged_changed,
    .target = "'hide'",
    .lua = "compare.unchanged \"hide\"" },
  { "compare-lanes", N_ ("_Links and memory"), N_ ("The timeline of compared plans has their links and memory, too"),
    GOBAN_GROUP_PANES, GOBAN_MENU_COMPARE,
    .state = "false", .changed = goban_window_compare_lanes_changed,
    .lua = "compare.lanes \"all\"" },
  { "compare-scales", N_ ("_Own scales"), N_ ("Use a separate colour scale for each plan"),
    GOBAN_GROUP_PANES, GOBAN_MENU_COMPARE,
    .state = "false", .changed = goban_window_compare_scales_changed,
    .lua = "compare.scales \"own\"" },
  { "compare-sync-view", N_ ("Share the _view"), N_ ("Show the same part of the graph in all panes"),
    GOBAN_GROUP_PANES, GOBAN_MENU_COMPARE,
    .state = "true", .changed = goban_window_compare_sync_changed,
    .lua = "compare.sync{ view = true }" },
  { "compare-sync-time", N_ ("Share the _time"), N_ ("Panes of compared plans show the same moment"),
    GOBAN_GROUP_PANES, GOBAN_MENU_COMPARE,
    .state = "true", .changed = goban_window_compare_sync_changed,
    .lua = "compare.sync{ time = true }" },
  { "compare-sync-selection", N_ ("Share the se_lection"), N_ ("Panes of compared plans show one selection"),
    GOBAN_GROUP_PANES, GOBAN_MENU_COMPARE,
    .state = "true", .changed = goban_window_compare_sync_changed,
    .lua = "compare.sync{ selection = true }" },
  { "left-pane", N_ ("_Plans"), N_ ("Show or hide the list of plans"),
    GOBAN_GROUP_PANES, GOBAN_MENU_PANES,
    .accels = "F9", .state = "true", .changed = goban_window_pane_changed },
  { "right-pane", N_ ("_Inspector"), N_ ("Show or hide the inspector"),
    GOBAN_GROUP_PANES, GOBAN_MENU_PANES,
    .accels = "<Control>F9", .state = "true", .changed = goban_window_pane_changed },
  { "timeline-pane", N_ ("_Timeline"), N_ ("Show or hide the timeline"),
    GOBAN_GROUP_PANES, GOBAN_MENU_PANES,
    .accels = "<Control>t", .state = "true", .changed = goban_window_pane_changed },
  { "console-pane", N_ ("_Console"), N_ ("Show or hide the console"),
    GOBAN_GROUP_PANES, GOBAN_MENU_PANES,
    .accels = "F12 <Control>grave", .state = "true", .changed = goban_window_pane_changed },
  { "table-pane", N_ ("_Nodes"), N_ ("Show or hide the table of nodes"),
    GOBAN_GROUP_PANES, GOBAN_MENU_PANES,
    .accels = "<Control><Shift>t", .state = "false", .changed = goban_window_table_changed },
  { "notes-pane", N_ ("N_otes"), N_ ("Show or hide the notes of the session"),
    GOBAN_GROUP_PANES, GOBAN_MENU_PANES,
    .accels = "<Control><Shift>n", .state = "false", .changed = goban_window_notes_changed,
    .lua = "app.notes()" },
  { "steps-pane", N_ ("_Steps"), N_ ("Show or hide the steps of a plan that GO has made"),
    GOBAN_GROUP_PANES, GOBAN_MENU_PANES,
    .accels = "<Alt>3", .state = "true", .changed = goban_window_steps_changed },
  { "fullscreen", N_ ("F_ull screen"), N_ ("Fill the screen"),
    GOBAN_GROUP_PANES, GOBAN_MENU_PANES,
    .accels = "F11", .state = "false", .changed = goban_window_fullscreen_changed },

  { "select-all", N_ ("Select _all"), N_ ("Select every node"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "<Control>a", .activate = goban_window_select_all,
    .lua = "view.select(g:where())" },
  { "select-none", N_ ("Select _nothing"), N_ ("Select nothing"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .activate = goban_window_select_none,
    .lua = "view.select()" },
  { "escape", N_ ("Clear"), N_ ("Clear the search, then the selection"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "Escape", .activate = goban_window_escape },
  { "select-inputs", N_ ("Select _inputs"), N_ ("Select what feeds the selection"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "i", .activate = goban_window_select_neighbours, .parameter = "s",
    .target = "'inputs'",
    .lua = "view.select(sel + sel:inputs(1))" },
  { "select-inputs", N_ ("Select _outputs"), N_ ("Select what reads the selection"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "o", .activate = goban_window_select_neighbours, .parameter = "s",
    .target = "'outputs'",
    .lua = "view.select(sel + sel:outputs(1))" },
  { "step", N_ ("Next op"), N_ ("Select the next op of the device"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "period", .activate = goban_window_step, .parameter = "i", .target = "1" },
  { "step", N_ ("Previous op"), N_ ("Select the op before on the device"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "comma", .activate = goban_window_step, .parameter = "i", .target = "-1" },

  { "walk", N_ ("Along an edge, down"), N_ ("Select what reads the selected node most"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "<Control>Down", .activate = goban_window_walk, .parameter = "s",
    .target = "'output'" },
  { "walk", N_ ("Along an edge, up"), N_ ("Select what feeds the selected node most"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "<Control>Up", .activate = goban_window_walk, .parameter = "s", .target = "'input'" },
  { "walk", N_ ("To the next sibling"), N_ ("Select the next node with the same input"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "<Control>Right", .activate = goban_window_walk, .parameter = "s",
    .target = "'next'" },
  { "walk", N_ ("To the sibling before"), N_ ("Select the node before with the same input"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "<Control>Left", .activate = goban_window_walk, .parameter = "s",
    .target = "'previous'" },
  { "neighbour", N_ ("Next neighbour"), N_ ("Select the neighbours of a node in turn"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "Tab", .activate = goban_window_neighbour, .parameter = "i", .target = "1" },
  { "neighbour", N_ ("Previous neighbour"), N_ ("Select the previous neighbour of the node"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "<Shift>Tab", .activate = goban_window_neighbour, .parameter = "i", .target = "-1" },
  { "copy-text", N_ ("Copy as _text"), N_ ("Copy the contents of the inspector as text"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "<Control>c", .activate = goban_window_copy_text, .lua = "describe(sel)" },
  { "copy-lua", N_ ("Copy as _Lua"), N_ ("Copy what is selected as a script names it"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .keys = "<Control><Shift>c", .activate = goban_window_copy_lua },
  { "copy-rows", N_ ("Copy _rows"), N_ ("Copy the selected rows of the table of nodes"),
    GOBAN_GROUP_SELECTION, GOBAN_MENU_NONE,
    .activate = goban_window_copy_rows },

  { "search", N_ ("_Search"), N_ ("Search for nodes"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_PANES,
    .accels = "<Control>f", .keys = "slash", .activate = goban_window_search,
    .lua = "g:where \"cost > 1ms and device = 'gpu:1'\"" },
  { "next-match", N_ ("_Next match"), N_ ("Select the next match"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .accels = "<Control>g F3", .activate = goban_window_next_match },
  { "previous-match", N_ ("_Previous match"), N_ ("Select the match before"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .accels = "<Control><Shift>g <Shift>F3", .activate = goban_window_previous_match },
  { "select-matches", N_ ("Select _all matches"), N_ ("Select all that matches the search"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .activate = goban_window_select_matches, .lua = "view.select(g:where \"...\")" },
  { "filter-matches", N_ ("_Filter"), N_ ("Hide what does not match the search"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .activate = goban_window_filter_matches, .lua = "view.hide(g:where \"not (...)\")" },
  { "hide-matches", N_ ("_Hide matches"), N_ ("Hide what matches the search"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .activate = goban_window_hide_matches, .lua = "g:where(\"...\"):hide()" },
  { "close-search", N_ ("_Close the search"), N_ ("Close the search; hidden nodes stay hidden"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .activate = goban_window_close_search },
  { "palette", N_ ("_Commands"), N_ ("Find any command by a few letters"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_PANES,
    .accels = "<Control><Shift>p", .activate = goban_window_palette, .lua = "help()" },
  { "back", N_ ("_Back"), N_ ("Go back to where you were"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .accels = "<Alt>Left", .activate = goban_window_back },
  { "forward", N_ ("_Forward"), N_ ("Go forward again"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .accels = "<Alt>Right", .activate = goban_window_forward },
  { "store-view", N_ ("Store a view"), N_ ("Save the current view as a numbered bookmark"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .accels = "<Control><Alt>1 <Control><Alt>2 <Control><Alt>3 <Control><Alt>4 <Control><Alt>5 "
              "<Control><Alt>6 <Control><Alt>7 <Control><Alt>8 <Control><Alt>9",
    .activate = goban_window_store_view, .parameter = "i", .is_numbered = TRUE,
    .lua = "view.snapshot(1)" },
  { "recall-view", N_ ("Recall a view"), N_ ("Go to the view kept under a number"),
    GOBAN_GROUP_FINDING, GOBAN_MENU_NONE,
    .keys = "1 2 3 4 5 6 7 8 9", .activate = goban_window_recall_view, .parameter = "i",
    .is_numbered = TRUE, .lua = "view.recall(1)" },

  { "play", N_ ("_Play"), N_ ("Play or pause the run"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "space", .activate = goban_window_play },
  { "play-speed", N_ ("_Faster"), N_ ("Let time pass twice as fast"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Shift>period greater", .activate = goban_window_play_speed, .parameter = "d",
    .target = "2.0" },
  { "play-speed", N_ ("_Slower"), N_ ("Let time pass half as fast"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Shift>comma less", .activate = goban_window_play_speed, .parameter = "d",
    .target = "0.5" },
  { "seek", N_ ("To the _start"), N_ ("Show the start of the run"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "Home", .activate = goban_window_seek, .parameter = "i", .target = "-1" },
  { "seek", N_ ("To the _end"), N_ ("Show the end of the run"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "End", .activate = goban_window_seek, .parameter = "i", .target = "1" },
  { "no-time", N_ ("Leave play_back"), N_ ("Show the whole run without a time cursor"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE, .activate = goban_window_no_time, .lua = "view.time()" },
  { "why", N_ ("_Why"), N_ ("Explain a gap, or why an op did not start earlier"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "y", .activate = goban_window_why },
  { "arrows", N_ ("Sh_ow more dependencies"), N_ ("Show what depends on the selection in one more step"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "bracketright", .activate = goban_window_arrows, .parameter = "i", .target = "1" },
  { "arrows", N_ ("Show _fewer dependencies"), N_ ("Show what depends on the selection in one step less"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "bracketleft", .activate = goban_window_arrows, .parameter = "i", .target = "-1" },
  { "all-lanes", N_ ("_All lanes"), N_ ("Show every lane of the timeline, in the original order"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE, .activate = goban_window_all_lanes,
    .lua = "view.lanes{}" },
  { "move-lane", N_ ("Lane _up"), N_ ("Move the lane under the pointer one place up"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Alt>Up", .activate = goban_window_move_lane, .parameter = "i", .target = "-1",
    .lua = "view.lanes{ order = { \"gpu:1\", \"gpu:0\" } }" },
  { "move-lane", N_ ("Lane _down"), N_ ("Move that lane one place down"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Alt>Down", .activate = goban_window_move_lane, .parameter = "i", .target = "1",
    .lua = "view.lanes{ order = { \"gpu:1\", \"gpu:0\" } }" },
  { "mark", N_ ("_Mark the time"), N_ ("Add or remove a mark at the pointer"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "m", .activate = goban_window_mark, .lua = "view.mark(\"12.4ms\", \"A\")" },
  { "go-mark", N_ ("_Next mark"), N_ ("Show the moment of the next mark"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Shift>m", .activate = goban_window_go_mark, .parameter = "i", .target = "1",
    .lua = "view.time \"A\"" },
  { "go-mark", N_ ("Mark _before"), N_ ("Show the moment of the mark before"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Control><Shift>m", .activate = goban_window_go_mark, .parameter = "i",
    .target = "-1", .lua = "view.time \"A\"" },
  { "show-mark", N_ ("_Go to a mark"), N_ ("Show the moment of the mark of that name"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .activate = goban_window_show_mark, .parameter = "s", .lua = "view.time \"A\"" },
  { "name-mark", N_ ("Name the mar_k…"), N_ ("Give the mark under the pointer another name"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .keys = "<Control>m", .activate = goban_window_name_mark,
    .lua = "view.mark(\"12.4ms\", \"warm-up\")" },
  { "clear-marks", N_ ("Remo_ve all marks"), N_ ("Take all marks off the timeline"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .activate = goban_window_clear_marks, .lua = "view.unmark()" },

  { "decision", N_ ("_Next decision"), N_ ("Show the plan after the next decision of the policy"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .accels = "<Alt>period", .activate = goban_window_decision, .parameter = "i", .target = "1",
    .lua = "view.step(12)" },
  { "decision", N_ ("_Decision before"), N_ ("Show the plan before that decision"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .accels = "<Alt>comma", .activate = goban_window_decision, .parameter = "i", .target = "-1",
    .lua = "view.step(11)" },
  { "decision", N_ ("_First decision"), N_ ("Show the plan that the policy began with"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .activate = goban_window_decision, .parameter = "i", .target = "-2",
    .lua = "view.step(0)" },
  { "decision", N_ ("_Last decision"), N_ ("Show the plan after the last decision"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE,
    .activate = goban_window_decision, .parameter = "i", .target = "2",
    .lua = "view.step(#r:steps())" },
  { "play-decisions", N_ ("_Play the decisions"), N_ ("Show the plan after one decision after the other, or stop"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE, .activate = goban_window_play_decisions },
  { "keep-decision", N_ ("_Keep this step as a plan"), N_ ("Add the plan of this step to the list"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE, .activate = goban_window_keep_decision,
    .lua = "view.show(r:step(12))" },
  { "no-decision", N_ ("Lea_ve the decision steps"), N_ ("Show the plan itself, and no step on the way to it"),
    GOBAN_GROUP_TIME, GOBAN_MENU_NONE, .activate = goban_window_no_decision,
    .lua = "view.step()" },

  { "preferences", N_ ("_Preferences"), N_ ("Colours, letters, autosave, recent files"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_ABOUT,
    .accels = "<Control>comma", .activate = goban_window_show_preferences },
  { "shortcuts", N_ ("_Keyboard shortcuts"), N_ ("Show this list"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_ABOUT,
    .accels = "<Control>question", .activate = goban_window_show_shortcuts,
    .lua = "help()" },
  { "help", N_ ("_Help on this"), N_ ("What the word at the prompt means; elsewhere, this list"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_NONE,
    .accels = "F1", .activate = goban_window_help,
    .lua = "help \"graph.load\"" },
  { "about", N_ ("_About Goban"), N_ ("Version and licence"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_ABOUT,
    .activate = goban_window_show_about,
    .lua = "app.version" },
  { "close", N_ ("_Close window"), N_ ("Close the window"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_NONE,
    .accels = "<Control>w", .activate = goban_window_close },
  { "quit", N_ ("_Quit"), N_ ("Quit"),
    GOBAN_GROUP_GENERAL, GOBAN_MENU_ABOUT,
    .accels = "<Control>q", .activate = goban_window_quit,
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

/* --- the GActions ---------------------------------------------------------------------- */

static void
activate_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  const GobanActionInfo *info = goban_action_find (g_action_get_name (G_ACTION (action)));

  info->activate (user_data, parameter);
}

static void
change_state_cb (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  const GobanActionInfo *info = goban_action_find (g_action_get_name (G_ACTION (action)));

  g_simple_action_set_state (action, state);
  info->changed (user_data, state);
}

void
goban_actions_add_to_window (GobanWindow *window)
{
  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      const GobanActionInfo *info = &actions[i];
      GActionEntry entry = {
        .name = info->name,
        .activate = info->activate != NULL ? activate_cb : NULL,
        .parameter_type = info->parameter,
        .state = info->state,
        .change_state = info->changed != NULL ? change_state_cb : NULL,
      };

      if (goban_action_find (info->name) == info)
        g_action_map_add_action_entries (G_ACTION_MAP (window), &entry, 1, window);
    }
}

/* --- keys ------------------------------------------------------------------------------- */

/* (transfer full): what is between the spaces; nothing for NULL. */
static char **
split_keys (const char *keys)
{
  return g_strsplit (keys != NULL ? keys : "", " ", -1);
}

static void
add_numbered_accels (GtkApplication *application, const GobanActionInfo *info)
{
  g_auto (GStrv) accels = split_keys (info->accels);

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
      g_auto (GStrv) accels = split_keys (actions[i].accels);

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

/* Adds a row's @keys to a controller; @is_wide: leaves them to text that has the focus. */
static void
add_shortcuts (GtkEventController *controller, const GobanActionInfo *info, const char *keys,
               gboolean is_wide)
{
  g_autofree char *name = g_strconcat ("win.", info->name, NULL);
  g_auto (GStrv) each = split_keys (keys);

  for (guint k = 0; each[k] != NULL; k++)
    {
      GtkShortcutAction *action
          = is_wide ? gtk_callback_action_new (activate_wide_cb, g_strdup (name), g_free)
                    : gtk_named_action_new (name);
      GtkShortcut *shortcut
          = gtk_shortcut_new (gtk_shortcut_trigger_parse_string (each[k]), action);

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

void
goban_actions_add_keys (GtkWidget *picture)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    add_shortcuts (controller, &actions[i], actions[i].keys, FALSE);
  gtk_widget_add_controller (picture, controller);
}

void
goban_actions_add_wide_keys (GtkWidget *window)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    add_shortcuts (controller, &actions[i], actions[i].wide, TRUE);
  gtk_widget_add_controller (window, controller);
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

/* Sections with a title are submenus. */
static const char *const menu_titles[GOBAN_N_MENUS] = {
  [GOBAN_MENU_EXPORT] = N_ ("_Export"),         [GOBAN_MENU_SELECTION] = N_ ("_Selection"),
  [GOBAN_MENU_PANES] = N_ ("_Panes"),           [GOBAN_MENU_GROUP] = N_ ("_Group nodes"),
  [GOBAN_MENU_ARRANGE] = N_ ("_Arrange nodes"), [GOBAN_MENU_COMPARE] = N_ ("_Compare"),
};

/* --- menu and shortcuts window ---------------------------------------------------------- */

/* (transfer full) */
static GMenu *
make_section (int section)
{
  GMenu *part = g_menu_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    if ((int) actions[i].menu == section)
      {
        g_autofree char *name = goban_action_detailed_name (&actions[i]);

        g_menu_append (part, _ (actions[i].label), name);
      }
  return part;
}

GMenuModel *
goban_actions_make_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) submenus = g_menu_new ();

  for (int section = GOBAN_MENU_NONE + 1; section < GOBAN_N_MENUS; section++)
    {
      g_autoptr (GMenu) part = make_section (section);

      if (menu_titles[section] != NULL)
        g_menu_append_submenu (submenus, _ (menu_titles[section]), G_MENU_MODEL (part));
      else
        g_menu_append_section (menu, NULL, G_MENU_MODEL (part));
      if (section == GOBAN_MENU_ABOUT - 1)
        g_menu_append_section (menu, NULL, G_MENU_MODEL (submenus));
    }

  return G_MENU_MODEL (menu);
}

static void
set_label_in (GMenu *section, const char *action, const char *label)
{
  for (int i = 0; i < g_menu_model_get_n_items (G_MENU_MODEL (section)); i++)
    {
      g_autofree char *name = NULL;
      g_autoptr (GMenuItem) item = NULL;

      g_menu_model_get_item_attribute (G_MENU_MODEL (section), i, G_MENU_ATTRIBUTE_ACTION, "s",
                                       &name);
      if (g_strcmp0 (name, action) != 0)
        continue;

      item = g_menu_item_new_from_model (G_MENU_MODEL (section), i);
      g_menu_item_set_label (item, label);
      g_menu_remove (section, i);
      g_menu_insert_item (section, i, item);
    }
}

void
goban_actions_set_label (GMenuModel *menu, const char *name, const char *label)
{
  g_autofree char *action = g_strconcat ("win.", name, NULL);

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);

      if (section != NULL)
        set_label_in (G_MENU (section), action, label);
    }
}

/* Three keys at once and another way beside them make the window wider than small screens. */
static gboolean
takes_three (const char *key)
{
  const char *modifier = strchr (key, '<');
  const char *second = modifier != NULL ? strchr (modifier + 1, '<') : NULL;

  return second != NULL && second < key + strcspn (key, " ");
}

/* Adds @keys to @all, without aliases of the same physical key. */
static void
append_keys (GString *all, const char *keys)
{
  g_auto (GStrv) each = split_keys (keys);

  for (guint i = 0; each[i] != NULL; i++)
    if (strstr (each[i], "KP_") == NULL && !g_str_has_suffix (each[i], "equal")
        && !takes_three (all->str))
      g_string_append_printf (all, "%s%s", all->len > 0 ? " " : "", each[i]);
}

/* Numbers are a range: its first and last key. */
static void
append_range (GString *all, const char *keys)
{
  g_auto (GStrv) each = split_keys (keys);
  guint n = g_strv_length (each);
  char digit = '\0';

  if (n == 0)
    return;
  digit = each[n - 1][strlen (each[n - 1]) - 1];
  g_string_append_printf (all, "%s...%c", each[0], digit);
}

static void
append_shortcut (GString *ui, const GobanActionInfo *info)
{
  g_autoptr (GString) all = g_string_new (NULL);
  g_autofree char *text = NULL;

  if (info->is_numbered)
    {
      append_range (all, info->accels);
      append_range (all, info->keys);
    }
  else
    {
      append_keys (all, info->accels);
      append_keys (all, info->wide);
      append_keys (all, info->keys);
    }
  if (all->len == 0)
    return;

  text = g_markup_printf_escaped ("<child><object class='GtkShortcutsShortcut'>"
                                  "<property name='title'>%s</property>"
                                  "<property name='accelerator'>%s</property></object></child>",
                                  _ (info->help), all->str);
  g_string_append (ui, text);
}

/* GtkShortcutsWindow can be filled by GtkBuilder only. All groups share one page of two columns:
 * it has room, and the switch between pages measures its labels wrongly. */
GtkWidget *
goban_actions_make_shortcuts (void)
{
  g_autoptr (GString) ui = g_string_new ("<interface><object class='GtkShortcutsWindow' id='w'>"
                                         "<property name='modal'>1</property><child>"
                                         "<object class='GtkShortcutsSection'>"
                                         "<property name='section-name'>all</property>"
                                         "<property name='max-height'>20</property>");
  g_autoptr (GtkBuilder) builder = NULL;

  for (int group = 0; group < GOBAN_N_GROUPS; group++)
    {
      g_string_append_printf (ui,
                              "<child><object class='GtkShortcutsGroup'>"
                              "<property name='title'>%s</property>",
                              _ (group_titles[group]));
      for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
        if ((int) actions[i].group == group)
          append_shortcut (ui, &actions[i]);
      g_string_append (ui, "</object></child>");
    }
  g_string_append (ui, "</object></child></object></interface>");

  builder = gtk_builder_new_from_string (ui->str, (gssize) ui->len);
  return GTK_WIDGET (gtk_builder_get_object (builder, "w"));
}
