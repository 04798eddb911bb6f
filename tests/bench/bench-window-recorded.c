/* bench-window-recorded.c: latencies of a window with a recorded run of 109,000 events
 * (window-bench.h), and of its comparison with simulated plans. Needs ../shared/data and a display:
 * run by gui-run.sh. Argument: another file.
 */
#include "tests/bench/bench-clock.h"
#include "tests/bench/bench-memory.h"
#include "tests/bench/window-bench.h"
#include "tests/support/shared-data.h"
#include "tests/ui/gui-pulse.h"

#include "engine/session/compare-set.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/study/run/graph-source.h"
#include "ui/compare/breakdown-list.h"
#include "ui/compare/compare-page.h"

#include <stdio.h>

#define N_EVENTS 12
#define N_LOADS 5

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
explore (WindowBench *bench)
{
  GobanRun *run = goban_session_get_current_run (bench->window.session);

  window_bench_pan (bench->graph);
  window_bench_report (bench, "pan-graph");
  window_bench_pan (bench->timeline);
  window_bench_report (bench, "pan-timeline");
  window_bench_act (bench, "zoom-in", NULL);
  window_bench_report (bench, "zoom-in");
  window_bench_act (bench, "fit", NULL);
  window_bench_select (bench, 400);
  window_bench_report (bench, "select-400");
  window_bench_act (bench, "select-all", NULL);
  window_bench_report (bench, "select-all");
  window_bench_act (bench, "select-none", NULL);
  goban_view_play_to (goban_session_get_view (bench->window.session),
                      goban_run_get_makespan_us (run) / 2);
  window_bench_report (bench, "moment");
  for (guint i = 0; i < N_EVENTS; i++)
    {
      window_bench_act (bench, "event", "int32 1");
      window_bench_settle (bench);
    }
  window_bench_report (bench, "event");
  window_bench_act (bench, "layout", "'lanes'");
  window_bench_report (bench, "lanes");
  window_bench_act (bench, "layout", "'auto'");
  window_bench_report (bench, "auto");
  window_bench_act (bench, "group", "'none'");
  window_bench_report (bench, "flat");
  window_bench_pan (bench->graph);
  window_bench_report (bench, "pan-flat");
  window_bench_act (bench, "group", "'scope'");
  window_bench_report (bench, "grouped");
}

/* --- compared with a simulation --------------------------------------------------------------- */

static gboolean
is_placed_again (gpointer data)
{
  WindowBench *bench = data;
  GListModel *runs = goban_session_get_runs (bench->window.session);

  return g_list_model_get_n_items (runs) > 1 && gui_has_settled (&bench->window);
}

static gboolean
is_compared (gpointer data)
{
  WindowBench *bench = data;
  GtkWidget *page = gui_part (&bench->window, GOBAN_TYPE_COMPARE_PAGE);
  GtkWidget *list = gui_part (&bench->window, GOBAN_TYPE_BREAKDOWN_LIST);
  GobanAttributor *attributor = goban_breakdown_list_get_attributor (GOBAN_BREAKDOWN_LIST (list));

  return !goban_compare_page_is_busy (GOBAN_COMPARE_PAGE (page))
         && !goban_attributor_is_running (attributor)
         && (goban_attributor_get_found (attributor) != NULL
             || goban_attributor_get_trouble (attributor) != NULL);
}

static void
report_compared (WindowBench *bench, const char *what)
{
  gui_wait (is_compared, bench, "the runs are compared");
  window_bench_report (bench, what);
}

static void
compare (WindowBench *bench)
{
  GListModel *list = goban_session_get_runs (bench->window.session);
  GobanCompareSet *set = goban_session_get_compare_set (bench->window.session);
  GobanComparePage *page = GOBAN_COMPARE_PAGE (gui_part (&bench->window, GOBAN_TYPE_COMPARE_PAGE));
  GobanRun *runs[2];
  double start_ms = wall_ms (), process_start_ms = process_ms ();

  window_bench_act (bench, "place", "'heft'");
  gui_wait (is_placed_again, bench, "another plan is there");
  window_bench_report (bench, "place");
  runs[0] = goban_run_list_get (list, 0);
  runs[1] = goban_run_list_get (list, 1);
  start_ms = wall_ms ();
  process_start_ms = process_ms ();
  goban_compare_set_show (set, runs, 2);
  report_compared (bench, "compare");
  printf ("%s-compare-wall %.0f ms\n", bench->name, wall_ms () - start_ms);
  printf ("%s-compare-cpu %.0f ms\n", bench->name, process_ms () - process_start_ms);
  window_bench_pan (GOBAN_PICTURE (goban_compare_page_get_timeline (page)));
  report_compared (bench, "compare-pan-timeline");
  window_bench_act (bench, "select-all", NULL);
  report_compared (bench, "compare-select-all");
  goban_compare_set_swap (set);
  report_compared (bench, "compare-swap");
}

int
main (int argc, char **argv)
{
  g_autofree char *shared = shared_data_path ("kineto/control.json.gz");
  WindowBench bench = { .name = "recorded", .spec = argc > 1 ? argv[1] : shared };

  if (bench.spec == NULL || !g_file_test (bench.spec, G_FILE_TEST_EXISTS))
    {
      printf ("skipped: no shared data\n");
      return 77;
    }
  load (bench.spec);
  window_bench_begin (&bench);
  report_memory ("recorded-memory-empty");
  window_bench_open (&bench);
  report_memory ("recorded-memory-opened");
  explore (&bench);
  compare (&bench);
  gui_pulse_end ();
  report_memory ("recorded-memory");
  window_bench_end (&bench);
  return 0;
}
