/* bench-window.c: latencies of a window with a large graph, and the memory that is resident.
 *
 * Printed are lines "name-what value unit". For each thing that is done: the longest turn of the
 * main loop, frames left out, and the longest frame, in milliseconds of processor time of the main
 * thread. A clock on the wall counts what a busy machine takes, too. Needs a display: run by
 * gui-run.sh. Arguments: "edit" for medians of many edits alone; "workspaces" for what each of them
 * does in a frame; "recorded" for a recorded run of
 * 109,000 events of ../shared/data, or of a file named next, and its comparison with a simulation.
 */
#include "tests/bench/bench-clock.h"
#include "tests/support/shared-data.h"
#include "tests/ui/gui-pulse.h"
#include "tests/ui/gui-window.h"

#include "engine/core/jobs/malloc-tuning.h"
#include "engine/session/compare-set.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/session/view.h"
#include "engine/study/run/graph-source.h"
#include "ui/compare/breakdown-list.h"
#include "ui/compare/compare-page.h"
#include "ui/compare/compare-pane.h"
#include "ui/graph/graph-view.h"
#include "ui/panels/search-bar.h"
#include "ui/table/node-table.h"
#include "ui/timeline/timeline-view.h"

#include <malloc.h>
#include <math.h>

#define N_PANS 12
#define N_EVENTS 12
#define N_ROUNDS 6
#define N_LOADS 5
#define N_EDITS 15
/* Edits go round all devices from here: each moves the nodes to another one. */
#define FIRST_DEVICE 3

typedef struct
{
  const char *name;    /* begins each line */
  const char *spec;    /* of a graph, or its file */
  const char *cluster; /* (nullable): the file's own */
  GuiWindow window;
  GobanPicture *graph;
  GobanPicture *timeline;
  GobanNodeTable *table;
  GobanSearchBar *search;
} Bench;

/* What one edit takes, in milliseconds: until its run is there and until both panes have painted
 * it, on the wall and in processor time of all threads; of it in the main thread; and the longest
 * turn and frame on the way. */
typedef enum
{
  EDIT_RUN_WALL,
  EDIT_RUN_CPU,
  EDIT_PICTURE_WALL,
  EDIT_PICTURE_CPU,
  EDIT_MAIN_CPU,
  EDIT_TURN,
  EDIT_FRAME,
  N_FIGURES
} EditFigure;

/* --- waiting -------------------------------------------------------------------------------- */

static gboolean
is_still (gpointer data)
{
  Bench *bench = data;

  return gui_has_no_job (&bench->window)
         && (goban_session_get_graph (bench->window.session) == NULL
             || goban_graph_view_is_ready (GOBAN_GRAPH_VIEW (bench->graph)))
         && !goban_timeline_view_is_busy (GOBAN_TIMELINE_VIEW (bench->timeline))
         && !goban_search_bar_is_searching (bench->search)
         && !goban_node_model_is_sorting (
             goban_node_columns_get_model (GOBAN_NODE_COLUMNS (bench->table)));
}

static void
settle (Bench *bench)
{
  gui_wait (is_still, bench, "all is still");
  gui_draw (GTK_WIDGET (bench->window.window));
  gui_wait (is_still, bench, "all is still");
  gui_draw (GTK_WIDGET (bench->window.window));
}

static void
print_time (const Bench *bench, const char *what, const char *kind, double value_ms)
{
  printf ("%s-%s-%s %.1f ms\n", bench->name, what, kind, value_ms);
}

/* Settles, and prints what was longest since the last report. */
static void
report (Bench *bench, const char *what)
{
  GuiPulse longest;

  settle (bench);
  longest = gui_pulse_take ();
  print_time (bench, what, "turn", longest.turn_ms);
  print_time (bench, what, "frame", longest.frame_ms);
}

/* --- what is done --------------------------------------------------------------------------- */

static void
act (Bench *bench, const char *action, const char *parameter)
{
  GVariant *value = parameter != NULL ? g_variant_new_parsed (parameter) : NULL;

  gui_act (&bench->window, action, value);
}

static gboolean
is_painted (gpointer data)
{
  Bench *bench = data;

  return goban_session_get_graph (bench->window.session) != NULL
         && goban_graph_view_get_scale (GOBAN_GRAPH_VIEW (bench->graph)) > 0
         && goban_picture_get_n_paints (bench->graph) > 0;
}

static gboolean
has_run (gpointer data)
{
  Bench *bench = data;

  return goban_session_get_current_run (bench->window.session) != NULL && is_still (bench);
}

static void
open_graph (Bench *bench)
{
  double start_ms = wall_ms (), process_start_ms = process_ms ();

  gui_open_path (&bench->window, bench->spec);
  gui_wait (is_painted, bench, "the graph is there");
  printf ("%s-open-first-picture-wall %.0f ms\n", bench->name, wall_ms () - start_ms);
  printf ("%s-open-first-picture-cpu %.0f ms\n", bench->name, process_ms () - process_start_ms);
  gui_wait (has_run, bench, "the graph is placed");
  printf ("%s-open-placed-wall %.0f ms\n", bench->name, wall_ms () - start_ms);
  report (bench, "open");
}

static void
select_nodes (Bench *bench, guint n)
{
  GobanGraph *graph = goban_session_get_graph (bench->window.session);
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, n);
  g_autoptr (GobanSelection) some = NULL;

  for (guint i = 0; i < n; i++)
    ids[i] = goban_graph_get_n_nodes (graph) / 2 + 2 * i;
  some = goban_selection_new (ids, n);
  goban_session_set_selection (bench->window.session, some);
}

static void
pan (GobanPicture *picture)
{
  for (int i = 0; i < N_PANS; i++)
    {
      goban_picture_pan (picture, i % 2 == 0 ? 1 : -1, i % 3 == 0);
      gui_rest ();
    }
}

/* --- edits ---------------------------------------------------------------------------------- */

static const char *const edit_names[N_FIGURES]
    = { "edit-run-wall",     "edit-run-cpu", "edit-picture-wall", "edit-picture-cpu",
        "edit-picture-main", "edit-turn",    "edit-frame" };

/* Goes round until both panes have painted what they had been waiting for. */
static void
wait_for_picture (Bench *bench)
{
  guint n_graph, n_timeline;

  n_graph = goban_picture_get_n_paints (bench->graph);
  n_timeline = goban_picture_get_n_paints (bench->timeline);
  while (goban_picture_get_n_paints (bench->graph) == n_graph
         || goban_picture_get_n_paints (bench->timeline) == n_timeline)
    {
      g_main_context_iteration (NULL, TRUE);
      /* What is painted while another scene is made is not yet it. */
      if (!goban_graph_view_is_ready (GOBAN_GRAPH_VIEW (bench->graph)))
        n_graph = goban_picture_get_n_paints (bench->graph);
      if (goban_timeline_view_is_busy (GOBAN_TIMELINE_VIEW (bench->timeline)))
        n_timeline = goban_picture_get_n_paints (bench->timeline);
    }
}

static void
edit (Bench *bench, guint device, double *figures)
{
  GobanRun *before = goban_session_get_current_run (bench->window.session);
  g_autofree char *parameter = g_strdup_printf ("%u", device);
  double start_ms, start_process_ms, start_main_ms;
  GuiPulse longest;

  settle (bench);
  gui_pulse_take ();
  start_ms = wall_ms ();
  start_process_ms = process_ms ();
  start_main_ms = cpu_ms ();
  act (bench, "move-selection", parameter);
  while (goban_session_get_current_run (bench->window.session) == before)
    g_main_context_iteration (NULL, TRUE);
  figures[EDIT_RUN_WALL] = wall_ms () - start_ms;
  figures[EDIT_RUN_CPU] = process_ms () - start_process_ms;
  wait_for_picture (bench);
  figures[EDIT_PICTURE_WALL] = wall_ms () - start_ms;
  figures[EDIT_PICTURE_CPU] = process_ms () - start_process_ms;
  figures[EDIT_MAIN_CPU] = cpu_ms () - start_main_ms;
  longest = gui_pulse_take ();
  figures[EDIT_TURN] = longest.turn_ms;
  figures[EDIT_FRAME] = longest.frame_ms;
}

/* Prints medians and the least of many edits. */
static void
edit_often (Bench *bench, guint n_edits)
{
  g_autofree double *figures = g_new (double, N_FIGURES *n_edits);
  guint n_devices = goban_cluster_get_n_devices (goban_session_get_cluster (bench->window.session));

  for (guint i = 0; i < n_edits; i++)
    {
      double once[N_FIGURES];

      edit (bench, (FIRST_DEVICE + i) % n_devices, once);
      for (guint f = 0; f < N_FIGURES; f++)
        figures[f * n_edits + i] = once[f];
    }
  for (guint f = 0; f < N_FIGURES; f++)
    {
      double *times = figures + f * n_edits;

      printf ("%s-%s %.1f ms\n", bench->name, edit_names[f], median_ms (times, n_edits));
      print_time (bench, edit_names[f], "least", times[0]);
    }
}

/* --- the window ------------------------------------------------------------------------------ */

static void
begin (Bench *bench)
{
  GuiWindow *window = &bench->window;

  goban_malloc_tuning_begin ();
  setvbuf (stdout, NULL, _IOLBF, 0);
  gtk_init ();
  gui_window_begin ();
  window->session = goban_session_new ();
  window->window = gui_window_new (window->session);
  gtk_window_set_default_size (GTK_WINDOW (window->window), 1600, 1000);
  gtk_window_present (GTK_WINDOW (window->window));
  gui_draw (GTK_WIDGET (window->window));
  bench->graph = GOBAN_PICTURE (gui_part (window, GOBAN_TYPE_GRAPH_VIEW));
  bench->timeline = GOBAN_PICTURE (gui_part (window, GOBAN_TYPE_TIMELINE_VIEW));
  bench->table = GOBAN_NODE_TABLE (gui_part (window, GOBAN_TYPE_NODE_TABLE));
  bench->search = GOBAN_SEARCH_BAR (gui_part (window, GOBAN_TYPE_SEARCH_BAR));
  if (bench->cluster != NULL)
    gui_act (window, "cluster", g_variant_new_string (bench->cluster));
  gui_pulse_begin (GTK_WIDGET (window->window));
}

static void
end (Bench *bench)
{
  GObject *widget = g_object_ref (G_OBJECT (bench->window.window));

  gtk_window_destroy (GTK_WINDOW (bench->window.window));
  gui_wait_finalized (widget);
  g_object_unref (bench->window.session);
  gui_window_end ();
}

/* Resident is what counts. Proportional divides what libraries have in common with other programs;
 * allocated is what is in use of the heap, so that the rest of it is holes. */
static void
report_memory (const Bench *bench, const char *what)
{
  printf ("%s-%s %.0f MB\n", bench->name, what, memory_mb ("/proc/self/status", "VmRSS"));
  printf ("%s-%s-proportional %.0f MB\n", bench->name, what,
          memory_mb ("/proc/self/smaps_rollup", "\nPss"));
  printf ("%s-%s-allocated %.0f MB\n", bench->name, what, (double) mallinfo2 ().uordblks / 1e6);
}

/* --- a large graph --------------------------------------------------------------------------- */

static void
play (Bench *bench)
{
  GobanRun *run = goban_session_get_current_run (bench->window.session);
  GobanView *view = goban_session_get_view (bench->window.session);

  for (int i = 1; i <= N_PANS; i++)
    {
      goban_view_play_to (view, goban_run_get_makespan_us (run) * i / (N_PANS + 2));
      gui_rest ();
    }
  settle (bench);
  goban_view_play_to (view, NAN);
}

static void
open_all_groups (Bench *bench)
{
  GobanView *view = goban_session_get_view (bench->window.session);
  g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (
      goban_session_get_graph (bench->window.session), GOBAN_GROUPING_SCOPE, NULL);
  guint n = goban_hierarchy_get_n_groups (hierarchy);
  g_autofree const char **paths = g_new0 (const char *, n + 1);

  for (guint g = 0; g < n; g++)
    paths[g] = goban_hierarchy_get_group (hierarchy, g)->path;
  gui_pulse_take ();
  goban_view_set_expanded (view, paths);
}

static void
do_all (Bench *bench, gboolean is_edit_only)
{
  act (bench, "next-plan", NULL);
  report (bench, "next-plan");
  select_nodes (bench, 400);
  report (bench, "select-400");
  edit_often (bench, is_edit_only ? N_EDITS : 1);
  if (is_edit_only)
    return;
  act (bench, "undo", NULL);
  report (bench, "undo");
  act (bench, "redo", NULL);
  report (bench, "redo");
  act (bench, "select-all", NULL);
  report (bench, "select-all");
  act (bench, "select-none", NULL);
  report (bench, "select-none");
  act (bench, "color", "'slack'");
  report (bench, "color-slack");
  act (bench, "color", "'cost'");
  report (bench, "color-cost");
  act (bench, "next-plan", NULL);
  report (bench, "next-plan-by-cost");
  act (bench, "color", "'device'");
  report (bench, "color-device");
  act (bench, "table-pane", NULL);
  report (bench, "table");
  gui_sort (GTK_WIDGET (bench->table), "Cost", TRUE);
  report (bench, "table-sort");
  act (bench, "select-all", NULL);
  report (bench, "table-select-all");
  act (bench, "select-none", NULL);
  act (bench, "table-pane", NULL);
  report (bench, "table-away");
  act (bench, "search", NULL);
  gtk_editable_set_text (gui_child (bench->search, "entry"), "cost > 10us and device = \"gpu:1\"");
  report (bench, "search");
  act (bench, "close-search", NULL);
  report (bench, "search-away");
  pan (bench->graph);
  report (bench, "pan-grouped");
  pan (bench->timeline);
  report (bench, "pan-timeline");
  play (bench);
  report (bench, "play");
  act (bench, "layout", "'lanes'");
  report (bench, "lanes");
  pan (bench->graph);
  report (bench, "pan-lanes");
  act (bench, "layout", "'auto'");
  report (bench, "auto");
  open_all_groups (bench);
  report (bench, "all-open");
  pan (bench->graph);
  report (bench, "pan-all-open");
  select_nodes (bench, 400);
  act (bench, "move-selection", "2");
  report (bench, "edit-all-open");
  act (bench, "group", "'parameter'");
  report (bench, "by-parameter");
  act (bench, "group", "'use'");
  report (bench, "by-use");
  act (bench, "group", "'none'");
  report (bench, "flat");
  pan (bench->graph);
  report (bench, "pan-flat");
}

/* --- the workspaces --------------------------------------------------------------------------- */

/* The least of the longest frames of rounds: other programs only lengthen it. */
static void
note_frame (Bench *bench, double *least_ms)
{
  GuiPulse longest;

  settle (bench);
  longest = gui_pulse_take ();
  *least_ms = MIN (*least_ms, longest.frame_ms);
}

static GobanPicture *
find_board (Bench *bench, const char *workspace)
{
  GtkWidget *page = gui_part (&bench->window, GOBAN_TYPE_COMPARE_PAGE);

  return g_str_equal (workspace, "compare") ? GOBAN_PICTURE (goban_compare_pane_get_view (
             goban_compare_page_get_pane (GOBAN_COMPARE_PAGE (page), 0)))
                                            : bench->graph;
}

static void
walk_workspaces (Bench *bench)
{
  static const char *const workspaces[] = { "decisions", "compare", "train", "script", "explore" };

  for (gsize i = 0; i < G_N_ELEMENTS (workspaces); i++)
    {
      double switch_ms = INFINITY, pan_ms = INFINITY, select_ms = INFINITY, all_ms = INFINITY;
      g_autofree char *parameter = g_strdup_printf ("'%s'", workspaces[i]);
      g_autofree char *name = g_strdup_printf ("workspace-%s", workspaces[i]);

      for (guint round = 0; round < N_ROUNDS; round++)
        {
          act (bench, "workspace", i + 1 < G_N_ELEMENTS (workspaces) ? "'explore'" : "'train'");
          settle (bench);
          gui_pulse_take ();
          act (bench, "workspace", parameter);
          note_frame (bench, &switch_ms);
          pan (find_board (bench, workspaces[i]));
          note_frame (bench, &pan_ms);
          select_nodes (bench, 400 + round);
          note_frame (bench, &select_ms);
          act (bench, "select-all", NULL);
          note_frame (bench, &all_ms);
          act (bench, "select-none", NULL);
          settle (bench);
          gui_pulse_take ();
        }
      print_time (bench, name, "switch", switch_ms);
      print_time (bench, name, "pan", pan_ms);
      print_time (bench, name, "select-400", select_ms);
      print_time (bench, name, "select-all", all_ms);
    }
}

/* The longest frame and turn of a step to the next or the previous decision. */
static GuiPulse
step (Bench *bench, int moment, const char *parameter)
{
  GobanView *view = goban_session_get_view (bench->window.session);

  goban_view_set_moment (view, moment);
  settle (bench);
  gui_pulse_take ();
  act (bench, "decision", parameter);
  settle (bench);
  g_assert_cmpint (goban_view_get_moment (view), !=, moment);
  return gui_pulse_take ();
}

/* Steps from decision to decision, far apart and near; turns and frames, least and most. Of each
 * step the least of several is taken, for what else the machine does makes some of them longer. */
static void
walk_decisions (Bench *bench)
{
  static const char *const steps[] = { "int32 1", "int32 -1" };

  act (bench, "place", "'heft'");
  gui_wait (has_run, bench, "heft has placed");
  act (bench, "workspace", "'decisions'");
  for (guint s = 0; s < G_N_ELEMENTS (steps); s++)
    {
      GuiPulse least = { INFINITY, INFINITY, 0, 0 }, most = { 0 };

      for (guint place = 1; place <= N_ROUNDS; place++)
        {
          GuiPulse best = { INFINITY, INFINITY, 0, 0 };

          for (guint round = 0; round < N_ROUNDS / 2; round++)
            {
              GuiPulse longest = step (bench, (int) (10000 * place), steps[s]);

              best.turn_ms = MIN (best.turn_ms, longest.turn_ms);
              best.frame_ms = MIN (best.frame_ms, longest.frame_ms);
            }
          least.turn_ms = MIN (least.turn_ms, best.turn_ms);
          least.frame_ms = MIN (least.frame_ms, best.frame_ms);
          most.turn_ms = MAX (most.turn_ms, best.turn_ms);
          most.frame_ms = MAX (most.frame_ms, best.frame_ms);
        }
      printf ("%s-decision-%s: turns %.1f to %.1f ms, frames %.1f to %.1f ms\n", bench->name,
              s == 0 ? "next" : "previous", least.turn_ms, most.turn_ms, least.frame_ms,
              most.frame_ms);
    }
}

/* --- a recorded run -------------------------------------------------------------------------- */

/* The least of several, in processor time of this thread. */
static void
load (const char *path)
{
  double best_ms = G_MAXDOUBLE;

  for (guint i = 0; i < N_LOADS; i++)
    {
      g_autoptr (GError) error = NULL;
      double start_ms = cpu_ms ();
      g_autoptr (GobanGraph) graph = goban_graph_source_load (path, NULL, &error);

      g_assert_no_error (error);
      best_ms = MIN (best_ms, cpu_ms () - start_ms);
    }
  printf ("recorded-load %.0f ms\n", best_ms);
}

static void
explore (Bench *bench)
{
  GobanRun *run = goban_session_get_current_run (bench->window.session);

  pan (bench->graph);
  report (bench, "pan-graph");
  pan (bench->timeline);
  report (bench, "pan-timeline");
  act (bench, "zoom-in", NULL);
  report (bench, "zoom-in");
  act (bench, "fit", NULL);
  select_nodes (bench, 400);
  report (bench, "select-400");
  act (bench, "select-all", NULL);
  report (bench, "select-all");
  act (bench, "select-none", NULL);
  goban_view_play_to (goban_session_get_view (bench->window.session),
                      goban_run_get_makespan_us (run) / 2);
  report (bench, "moment");
  for (guint i = 0; i < N_EVENTS; i++)
    {
      act (bench, "event", "int32 1");
      settle (bench);
    }
  report (bench, "event");
  act (bench, "layout", "'lanes'");
  report (bench, "lanes");
  act (bench, "layout", "'auto'");
  report (bench, "auto");
  act (bench, "group", "'none'");
  report (bench, "flat");
  pan (bench->graph);
  report (bench, "pan-flat");
  act (bench, "group", "'scope'");
  report (bench, "grouped");
}

/* --- compared with a simulation --------------------------------------------------------------- */

static gboolean
is_placed_again (gpointer data)
{
  Bench *bench = data;
  GListModel *runs = goban_session_get_runs (bench->window.session);

  return g_list_model_get_n_items (runs) > 1 && gui_has_settled (&bench->window);
}

static gboolean
is_compared (gpointer data)
{
  Bench *bench = data;
  GtkWidget *page = gui_part (&bench->window, GOBAN_TYPE_COMPARE_PAGE);
  GtkWidget *list = gui_part (&bench->window, GOBAN_TYPE_BREAKDOWN_LIST);
  GobanAttributor *attributor = goban_breakdown_list_get_attributor (GOBAN_BREAKDOWN_LIST (list));

  return !goban_compare_page_is_busy (GOBAN_COMPARE_PAGE (page))
         && !goban_attributor_is_running (attributor)
         && (goban_attributor_get_found (attributor) != NULL
             || goban_attributor_get_trouble (attributor) != NULL);
}

static void
report_compared (Bench *bench, const char *what)
{
  gui_wait (is_compared, bench, "the runs are compared");
  report (bench, what);
}

static void
compare (Bench *bench)
{
  GListModel *list = goban_session_get_runs (bench->window.session);
  GobanCompareSet *set = goban_session_get_compare_set (bench->window.session);
  GobanComparePage *page = GOBAN_COMPARE_PAGE (gui_part (&bench->window, GOBAN_TYPE_COMPARE_PAGE));
  GobanRun *runs[2];
  double start_ms = wall_ms (), process_start_ms = process_ms ();

  act (bench, "place", "'heft'");
  gui_wait (is_placed_again, bench, "another plan is there");
  report (bench, "place");
  runs[0] = goban_run_list_get (list, 0);
  runs[1] = goban_run_list_get (list, 1);
  start_ms = wall_ms ();
  process_start_ms = process_ms ();
  goban_compare_set_show (set, runs, 2);
  report_compared (bench, "compare");
  printf ("%s-compare-wall %.0f ms\n", bench->name, wall_ms () - start_ms);
  printf ("%s-compare-cpu %.0f ms\n", bench->name, process_ms () - process_start_ms);
  pan (GOBAN_PICTURE (goban_compare_page_get_timeline (page)));
  report_compared (bench, "compare-pan-timeline");
  act (bench, "select-all", NULL);
  report_compared (bench, "compare-select-all");
  goban_compare_set_swap (set);
  report_compared (bench, "compare-swap");
}

static gboolean
has_rested (gpointer data)
{
  return goban_malloc_tuning_get_n_trims () > *(guint *) data;
}

int
main (int argc, char **argv)
{
  g_autofree char *recorded = shared_data_path ("kineto/control.json.gz");
  gboolean is_recorded = argc > 1 && g_str_equal (argv[1], "recorded");
  Bench bench = { .name = "window", .spec = "gnmt:layers=8", .cluster = "p100x8" };
  guint n_trims;

  if (is_recorded)
    bench = (Bench){ .name = "recorded", .spec = argc > 2 ? argv[2] : recorded };
  if (is_recorded && (bench.spec == NULL || !g_file_test (bench.spec, G_FILE_TEST_EXISTS)))
    {
      printf ("skipped: no shared data\n");
      return 77;
    }
  if (is_recorded)
    load (bench.spec);
  begin (&bench);
  report_memory (&bench, "memory-empty");
  open_graph (&bench);
  report_memory (&bench, "memory-opened");
  if (is_recorded)
    {
      explore (&bench);
      compare (&bench);
    }
  else if (argc > 1 && g_str_equal (argv[1], "workspaces"))
    {
      walk_workspaces (&bench);
      walk_decisions (&bench);
      gui_pulse_end ();
      end (&bench);
      return 0;
    }
  else
    do_all (&bench, argc > 1 && g_str_equal (argv[1], "edit"));
  gui_pulse_end ();
  report_memory (&bench, "memory");
  /* A last job, for the heap may have come to rest already. */
  n_trims = goban_malloc_tuning_get_n_trims ();
  act (&bench, "undo", NULL);
  settle (&bench);
  printf ("%s-memory-most %.0f MB\n", bench.name, memory_mb ("/proc/self/status", "VmHWM"));
  gui_wait (has_rested, &n_trims, "free memory is given back");
  report_memory (&bench, "memory-rested");
  end (&bench);
  return 0;
}
