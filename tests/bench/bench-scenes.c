/* bench-scenes.c: time of the workers' results for the panes of gnmt:layers=8 on p100x8: "name
 * value unit", in milliseconds of this thread's processor time, best of so many. */
#include "engine/machine/cluster/cluster.h"
#include "engine/session/edit.h"
#include "engine/session/session.h"
#include "engine/study/analysis/difference/difference.h"
#include "engine/study/analysis/node-list.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/slack.h"
#include "tests/bench/bench-clock.h"
#include "ui/draw/graph/graph-plot.h"
#include "ui/draw/timeline/timeline-build.h"

#include <math.h>
#include <stdio.h>

#define N_TIMES 7

#define TIME(name, statement)                                                                      \
  do                                                                                               \
    {                                                                                              \
      double best_ms = INFINITY;                                                                   \
      for (guint i_ = 0; i_ < N_TIMES; i_++)                                                       \
        {                                                                                          \
          double start_ms = cpu_ms ();                                                             \
          statement;                                                                               \
          best_ms = MIN (best_ms, cpu_ms () - start_ms);                                           \
        }                                                                                          \
      printf ("%s %.2f ms\n", name, best_ms);                                                      \
    }                                                                                              \
  while (0)

static void
bench_graph (GobanRun *run)
{
  GobanGraph *graph = goban_run_get_graph (run);
  g_autoptr (GobanGraphScene) base
      = goban_graph_scene_new (graph, NULL, NULL, goban_run_get_trace (run));
  g_autoptr (GobanPlot) plot = goban_plot_new (graph, &(GobanLook){ .aspect = 1.6 }, NULL);

  TIME ("scene-graph-80k", goban_graph_scene_free (goban_graph_scene_new (
                               graph, NULL, NULL, goban_run_get_trace (run))));
  TIME ("scene-items-80k",
        goban_graph_scene_free (goban_graph_scene_new_outlined (base, plot->outline)));
}

static void
bench_timeline (GobanRun *run, GobanRun *ghost)
{
  g_autoptr (GobanTimelineScene) scene
      = goban_timeline_scene_new_with (goban_run_get_trace (run), goban_run_get_trace (ghost));

  TIME ("scene-timeline-80k", goban_timeline_scene_free (goban_timeline_scene_new_with (
                                  goban_run_get_trace (run), goban_run_get_trace (ghost))));
  TIME ("scene-ghost-80k", goban_timeline_scene_free (
                               goban_timeline_scene_new_like (goban_run_get_trace (ghost), scene)));
}

static void
bench_values (GobanRun *run)
{
  GobanNodeContext context = { goban_run_get_costs (run), run };
  guint n;

  TIME ("slack-80k", g_free (goban_compute_slacks (goban_run_get_trace (run))));
  TIME ("values-slack-80k", goban_node_values_unref (goban_node_values_new (
                                goban_node_field_find ("slack", NULL), &context)));
  TIME ("values-cost-80k", goban_node_values_unref (goban_node_values_new (
                               goban_node_field_find ("cost", NULL), &context)));
  TIME ("sort-cost-80k",
        g_free (goban_node_list_sort (&context, NULL, goban_node_field_find ("cost", NULL), TRUE,
                                      NULL, &n, NULL)));
  TIME ("sort-name-80k",
        g_free (goban_node_list_sort (&context, NULL, goban_node_field_find ("name", NULL), TRUE,
                                      NULL, &n, NULL)));
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load ("gnmt:layers=8", NULL, &error);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x8", &error);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "expert", NULL, &error);
  g_autoptr (GobanRun) other = goban_run_new_from_policy (costs, "metis", NULL, &error);

  g_assert_no_error (error);
  bench_graph (run);
  bench_timeline (run, other);
  bench_values (run);
  TIME ("difference-80k", goban_difference_unref (goban_difference_new (other, run, 0, NULL)));
  return 0;
}
