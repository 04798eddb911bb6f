/* bench-window.c: latencies of a window with a large graph: "name value unit".
 *
 * For each thing that is done: the longest turn of the main loop, frames left out, and the longest
 * frame, in milliseconds of processor time of the main thread. Then what a clock on the wall says,
 * which a busy machine makes longer, and what memory was resident in the end. Of an edit: from the
 * edit to its run and to the frame that shows it in both panes, on the wall and in processor time
 * of all threads, and the longest turn on the way. Needs a display: run by gui-run.sh. Arguments: a
 * spec, a cluster, and "edit" for medians of many edits alone.
 */
#include "tests/bench/bench-clock.h"
#include "tests/bench/bench-memory.h"
#include "tests/ui/gui-pulse.h"
#include "tests/ui/gui-window.h"

#include "engine/jobs/malloc-tuning.h"
#include "engine/session/session-marks.h"
#include "engine/session/view-groups.h"
#include "engine/session/view-time.h"
#include "ui/graph/graph-view.h"
#include "ui/shell/search-bar.h"
#include "ui/table/node-table.h"
#include "ui/timeline/timeline-scenes.h"
#include "ui/timeline/timeline-view.h"

#include <stdio.h>

#define N_PANS 12
#define N_EDITS 15

typedef struct
{
  GuiWindow window;
  const char *spec;
  const char *cluster;
  gboolean is_edit_only;
  GobanPicture *graph;
  GobanPicture *timeline;
  GobanNodeTable *table;
  GobanSearchBar *search;
} Bench;

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
report (Bench *bench, const char *name)
{
  GuiPulse longest;

  settle (bench);
  longest = gui_pulse_take ();
  printf ("window-%s-turn %.1f ms\n", name, longest.turn_ms);
  printf ("window-%s-frame %.1f ms\n", name, longest.frame_ms);
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
  double start_ms = wall_ms ();

  gui_open_path (&bench->window, bench->spec);
  gui_wait (is_painted, bench, "the graph is there");
  printf ("window-open-first-picture-wall %.0f ms\n", wall_ms () - start_ms);
  gui_wait (has_run, bench, "the graph is placed");
  printf ("window-open-placed-wall %.0f ms\n", wall_ms () - start_ms);
  report (bench, "open");
  report_memory ("window-memory-opened");
}

static void
select_some (Bench *bench, guint n)
{
  GobanGraph *graph = goban_session_get_graph (bench->window.session);
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, n);
  g_autoptr (GobanSelection) some = NULL;

  for (guint i = 0; i < n; i++)
    ids[i] = goban_graph_get_n_nodes (graph) / 2 + 2 * i;
  some = goban_selection_new (ids, n);
  goban_session_set_selection (bench->window.session, some);
}

/* What one edit takes, in milliseconds. */
typedef enum
{
  EDIT_RUN_WALL,
  EDIT_RUN_CPU,
  EDIT_PICTURE_WALL,
  EDIT_PICTURE_CPU,
  EDIT_MAIN_CPU,
  EDIT_TURN,
  EDIT_FRAME,
  N_EDIT_FIGURES
} EditFigure;

static const char *const edit_names[N_EDIT_FIGURES]
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
edit_once (Bench *bench, guint device, double *figures)
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

static void
edit_graph (Bench *bench)
{
  double figures[N_EDIT_FIGURES];

  edit_once (bench, 3, figures);
  for (guint f = 0; f < N_EDIT_FIGURES; f++)
    printf ("window-%s %.1f ms\n", edit_names[f], figures[f]);
}

/* Medians. */
static void
edit_often (Bench *bench)
{
  double figures[N_EDIT_FIGURES][N_EDITS];

  for (guint i = 0; i < N_EDITS; i++)
    {
      double once[N_EDIT_FIGURES];

      edit_once (bench, (3 + i) % 8, once);
      for (guint f = 0; f < N_EDIT_FIGURES; f++)
        figures[f][i] = once[f];
    }
  for (guint f = 0; f < N_EDIT_FIGURES; f++)
    {
      printf ("window-%s %.1f ms\n", edit_names[f], median_ms (figures[f], N_EDITS));
      printf ("window-%s-least %.1f ms\n", edit_names[f], figures[f][0]);
    }
}

static void
pan (Bench *bench, GobanPicture *picture)
{
  for (int i = 0; i < N_PANS; i++)
    {
      goban_picture_pan (picture, i % 2 == 0 ? 1 : -1, i % 3 == 0);
      gui_rest ();
    }
}

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
do_all (Bench *bench)
{
  open_graph (bench);
  act (bench, "next-plan", NULL);
  report (bench, "next-plan");
  select_some (bench, 400);
  report (bench, "select-400");
  if (bench->is_edit_only)
    {
      edit_often (bench);
      return;
    }
  edit_graph (bench);
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
  goban_node_table_sort (bench->table, "cost", TRUE);
  report (bench, "table-sort");
  act (bench, "select-all", NULL);
  report (bench, "table-select-all");
  act (bench, "select-none", NULL);
  act (bench, "table-pane", NULL);
  report (bench, "table-away");
  act (bench, "search", NULL);
  goban_search_bar_set_text (bench->search, "cost > 10us and device = \"gpu:1\"");
  report (bench, "search");
  act (bench, "close-search", NULL);
  report (bench, "search-away");
  pan (bench, bench->graph);
  report (bench, "pan-grouped");
  pan (bench, bench->timeline);
  report (bench, "pan-timeline");
  play (bench);
  report (bench, "play");
  act (bench, "layout", "'lanes'");
  report (bench, "lanes");
  pan (bench, bench->graph);
  report (bench, "pan-lanes");
  act (bench, "layout", "'auto'");
  report (bench, "auto");
  open_all_groups (bench);
  report (bench, "all-open");
  pan (bench, bench->graph);
  report (bench, "pan-all-open");
  select_some (bench, 400);
  act (bench, "move-selection", "2");
  report (bench, "edit-all-open");
  act (bench, "group", "'parameter'");
  report (bench, "by-parameter");
  act (bench, "group", "'use'");
  report (bench, "by-use");
  act (bench, "group", "'none'");
  report (bench, "flat");
  pan (bench, bench->graph);
  report (bench, "pan-flat");
}

static gboolean
has_rested (gpointer data)
{
  return goban_malloc_tuning_get_n_trims () > *(guint *) data;
}

static void
run_bench (Bench *bench)
{
  GuiWindow *window = &bench->window;
  GObject *widget;
  guint n_trims;

  window->session = goban_session_new ();
  window->window = gui_window_new (window->session);
  gtk_window_set_default_size (GTK_WINDOW (window->window), 1600, 1000);
  gtk_window_present (GTK_WINDOW (window->window));
  gui_draw (GTK_WIDGET (window->window));
  bench->graph = GOBAN_PICTURE (gui_part (window, GOBAN_TYPE_GRAPH_VIEW));
  bench->timeline = GOBAN_PICTURE (gui_part (window, GOBAN_TYPE_TIMELINE_VIEW));
  bench->table = GOBAN_NODE_TABLE (gui_part (window, GOBAN_TYPE_NODE_TABLE));
  bench->search = GOBAN_SEARCH_BAR (gui_part (window, GOBAN_TYPE_SEARCH_BAR));
  report_memory ("window-memory-empty");
  gui_act (window, "cluster", g_variant_new_string (bench->cluster));
  gui_pulse_begin (GTK_WIDGET (window->window));
  do_all (bench);
  gui_pulse_end ();
  report_memory ("window-memory");
  /* A last job, for the heap may have come to rest already. */
  n_trims = goban_malloc_tuning_get_n_trims ();
  act (bench, "undo", NULL);
  settle (bench);
  printf ("window-memory-most %.0f MB\n", memory_mb ("/proc/self/status", "VmHWM"));
  gui_wait (has_rested, &n_trims, "free memory is given back");
  report_memory ("window-memory-rested");

  widget = g_object_ref (G_OBJECT (window->window));
  gtk_window_destroy (GTK_WINDOW (window->window));
  gui_wait_finalized (widget);
  g_object_unref (window->session);
}

int
main (int argc, char **argv)
{
  Bench bench = {
    .spec = argc > 1 ? argv[1] : "gnmt:layers=8",
    .cluster = argc > 2 ? argv[2] : "p100x8",
    .is_edit_only = argc > 3 && g_str_equal (argv[3], "edit"),
  };

  goban_malloc_tuning_begin ();
  setvbuf (stdout, NULL, _IOLBF, 0);
  gtk_init ();
  gui_window_begin ();
  run_bench (&bench);
  gui_window_end ();
  return 0;
}
