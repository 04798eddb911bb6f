/* bench-window.c: latencies of a window with a large graph (window-bench.h), and what memory was
 * resident in the end. A clock on the wall counts what a busy machine takes, too. Needs a display:
 * run by gui-run.sh. Arguments: a spec, a cluster, and "edit" for medians of many edits alone.
 */
#include "tests/bench/bench-memory.h"
#include "tests/bench/window-bench.h"
#include "tests/ui/gui-pulse.h"

#include "engine/core/jobs/malloc-tuning.h"
#include "engine/session/view-groups.h"
#include "engine/session/view-time.h"

#include <math.h>
#include <stdio.h>

/* --- what is done --------------------------------------------------------------------------- */

static void
edit_graph (WindowBench *bench)
{
  double figures[WINDOW_BENCH_N_FIGURES];

  window_bench_edit (bench, 3, figures);
  window_bench_print_edit (bench, figures);
}

static void
play (WindowBench *bench)
{
  GobanRun *run = goban_session_get_current_run (bench->window.session);
  GobanView *view = goban_session_get_view (bench->window.session);

  for (int i = 1; i <= WINDOW_BENCH_N_PANS; i++)
    {
      goban_view_play_to (view, goban_run_get_makespan_us (run) * i / (WINDOW_BENCH_N_PANS + 2));
      gui_rest ();
    }
  window_bench_settle (bench);
  goban_view_play_to (view, NAN);
}

static void
open_all_groups (WindowBench *bench)
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
do_all (WindowBench *bench, gboolean is_edit_only)
{
  window_bench_open (bench);
  report_memory ("window-memory-opened");
  window_bench_act (bench, "next-plan", NULL);
  window_bench_report (bench, "next-plan");
  window_bench_select (bench, 400);
  window_bench_report (bench, "select-400");
  if (is_edit_only)
    {
      window_bench_edit_often (bench, NULL);
      return;
    }
  edit_graph (bench);
  window_bench_act (bench, "undo", NULL);
  window_bench_report (bench, "undo");
  window_bench_act (bench, "redo", NULL);
  window_bench_report (bench, "redo");
  window_bench_act (bench, "select-all", NULL);
  window_bench_report (bench, "select-all");
  window_bench_act (bench, "select-none", NULL);
  window_bench_report (bench, "select-none");
  window_bench_act (bench, "color", "'slack'");
  window_bench_report (bench, "color-slack");
  window_bench_act (bench, "color", "'cost'");
  window_bench_report (bench, "color-cost");
  window_bench_act (bench, "next-plan", NULL);
  window_bench_report (bench, "next-plan-by-cost");
  window_bench_act (bench, "color", "'device'");
  window_bench_report (bench, "color-device");
  window_bench_act (bench, "table-pane", NULL);
  window_bench_report (bench, "table");
  goban_node_table_sort (bench->table, "cost", TRUE);
  window_bench_report (bench, "table-sort");
  window_bench_act (bench, "select-all", NULL);
  window_bench_report (bench, "table-select-all");
  window_bench_act (bench, "select-none", NULL);
  window_bench_act (bench, "table-pane", NULL);
  window_bench_report (bench, "table-away");
  window_bench_act (bench, "search", NULL);
  goban_search_bar_set_text (bench->search, "cost > 10us and device = \"gpu:1\"");
  window_bench_report (bench, "search");
  window_bench_act (bench, "close-search", NULL);
  window_bench_report (bench, "search-away");
  window_bench_pan (bench->graph);
  window_bench_report (bench, "pan-grouped");
  window_bench_pan (bench->timeline);
  window_bench_report (bench, "pan-timeline");
  play (bench);
  window_bench_report (bench, "play");
  window_bench_act (bench, "layout", "'lanes'");
  window_bench_report (bench, "lanes");
  window_bench_pan (bench->graph);
  window_bench_report (bench, "pan-lanes");
  window_bench_act (bench, "layout", "'auto'");
  window_bench_report (bench, "auto");
  open_all_groups (bench);
  window_bench_report (bench, "all-open");
  window_bench_pan (bench->graph);
  window_bench_report (bench, "pan-all-open");
  window_bench_select (bench, 400);
  window_bench_act (bench, "move-selection", "2");
  window_bench_report (bench, "edit-all-open");
  window_bench_act (bench, "group", "'parameter'");
  window_bench_report (bench, "by-parameter");
  window_bench_act (bench, "group", "'use'");
  window_bench_report (bench, "by-use");
  window_bench_act (bench, "group", "'none'");
  window_bench_report (bench, "flat");
  window_bench_pan (bench->graph);
  window_bench_report (bench, "pan-flat");
}

static gboolean
has_rested (gpointer data)
{
  return goban_malloc_tuning_get_n_trims () > *(guint *) data;
}

int
main (int argc, char **argv)
{
  WindowBench bench = {
    .name = "window",
    .spec = argc > 1 ? argv[1] : "gnmt:layers=8",
    .cluster = argc > 2 ? argv[2] : "p100x8",
  };
  guint n_trims;

  window_bench_begin (&bench);
  report_memory ("window-memory-empty");
  do_all (&bench, argc > 3 && g_str_equal (argv[3], "edit"));
  gui_pulse_end ();
  report_memory ("window-memory");
  /* A last job, for the heap may have come to rest already. */
  n_trims = goban_malloc_tuning_get_n_trims ();
  window_bench_act (&bench, "undo", NULL);
  window_bench_settle (&bench);
  printf ("window-memory-most %.0f MB\n", memory_mb ("/proc/self/status", "VmHWM"));
  gui_wait (has_rested, &n_trims, "free memory is given back");
  report_memory ("window-memory-rested");
  window_bench_end (&bench);
  return 0;
}
