/* Times of what a comparison says of 84,464 nodes on eight devices: milliseconds of this thread's
 * processor time, best of 5; of shares and pages, which have workers of their own, on the clock,
 * once. */
#include "engine/session/session.h"
#include "engine/study/analysis/difference/breakdown.h"
#include "engine/study/analysis/difference/change-rows.h"
#include "engine/study/run/graph-source.h"
#include "tests/bench/bench-clock.h"
#include "ui/draw/reports/share.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>

#define GRAPH "gnmt:layers=8"
#define N_TIMES 5

static void
bench_difference (GobanRun *a, GobanRun *b)
{
  double best = INFINITY;

  for (guint i = 0; i < N_TIMES; i++)
    {
      double start = cpu_ms ();
      g_autoptr (GobanDifference) difference = goban_difference_new (a, b, 100, NULL);

      best = MIN (best, cpu_ms () - start);
      g_assert_nonnull (difference);
    }
  printf ("compare-difference %.1f ms\n", best);
}

/* The nodes of every cell of the matrix. */
static void
bench_matrix (const GobanDifference *difference)
{
  guint n_devices = goban_difference_get_n_devices (difference);
  double best = INFINITY;

  for (guint i = 0; i < N_TIMES; i++)
    {
      double start = cpu_ms ();

      for (guint from = 0; from < n_devices; from++)
        for (guint to = 0; to < n_devices; to++)
          {
            g_autoptr (GobanSelection) moves
                = goban_difference_dup_moves (difference, (GobanDeviceId) from, (GobanDeviceId) to);
            guint n;

            goban_selection_get_ids (moves, &n);
            g_assert_cmpuint (n, ==,
                              goban_difference_get_n_moves (difference, (GobanDeviceId) from,
                                                            (GobanDeviceId) to));
          }
      best = MIN (best, cpu_ms () - start);
    }
  printf ("compare-matrix-%u %.1f ms\n", n_devices * n_devices, best);
}

static void
bench_sort (const GobanDifference *difference, GobanChangeColumn column, const char *name)
{
  double best = INFINITY;

  for (guint i = 0; i < N_TIMES; i++)
    {
      double start = cpu_ms ();
      guint n;
      g_autofree GobanNodeId *nodes
          = goban_change_rows_sort (difference, column, FALSE, NULL, &n, NULL);

      best = MIN (best, cpu_ms () - start);
      g_assert_cmpuint (n, >, 0);
    }
  printf ("compare-changes-%s %.1f ms\n", name, best);
}

static void
bench_csv (const GobanDifference *difference)
{
  double start = cpu_ms ();
  guint n;
  g_autofree GobanNodeId *nodes
      = goban_change_rows_sort (difference, GOBAN_CHANGE_ROW_NODE, FALSE, NULL, &n, NULL);
  g_autofree char *csv = goban_change_rows_to_csv (difference, nodes, n);

  printf ("compare-csv-%u %.1f ms\n", n, cpu_ms () - start);
}

typedef struct
{
  gint64 start_us;
  double first_ms;
} Watch;

static void
found_cb (GobanBreakdown *so_far, gpointer user_data)
{
  Watch *watch = user_data;

  if (watch->first_ms == 0)
    watch->first_ms = (double) (g_get_monotonic_time () - watch->start_us) / 1e3;
}

static void
bench_breakdown (GobanDifference *difference)
{
  Watch watch = { .start_us = g_get_monotonic_time () };
  GobanBreakdownOptions options = { .on_found = found_cb, .user_data = &watch };
  g_autoptr (GobanBreakdown) breakdown = goban_breakdown_new (difference, &options, NULL);

  printf ("compare-first-parts %.1f ms\n", watch.first_ms);
  printf ("compare-breakdown-%u %.1f ms\n", breakdown->n_simulations,
          (double) (g_get_monotonic_time () - watch.start_us) / 1e3);
}

static void
bench_report (GobanRun *a, GobanRun *b)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-bench-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "report.html", NULL);
  GobanShareOrder order = { .runs = (GobanRun *[]){ a, b }, .n_runs = 2, .shown = 1 };
  double start = cpu_ms ();

  g_assert_true (goban_share_write (&order, path, NULL));
  printf ("compare-report-html %.1f ms\n", cpu_ms () - start);
  g_remove (path);
  g_rmdir (folder);
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load (GRAPH, &(GobanLoadOptions){ 0 }, &error);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x8", &error);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanRun) a = NULL;
  g_autoptr (GobanRun) b = NULL;
  g_autoptr (GobanDifference) difference = NULL;

  g_assert_no_error (error);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  a = goban_run_new_from_policy (costs, "metis", NULL, &error);
  b = goban_run_new_from_policy (costs, "heft", NULL, &error);
  g_assert_no_error (error);
  difference = goban_difference_new (a, b, 100, &error);
  bench_difference (a, b);
  bench_matrix (difference);
  bench_sort (difference, GOBAN_CHANGE_ROW_FINISH, "by-time");
  bench_sort (difference, GOBAN_CHANGE_ROW_NODE, "by-name");
  bench_csv (difference);
  bench_breakdown (difference);
  bench_report (a, b);
  return 0;
}
