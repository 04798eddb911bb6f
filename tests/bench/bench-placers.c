/* bench-placers.c: cost of placing a large graph.
 *
 * Prints one line per policy, "policy-size value unit": the least CPU time of several runs, since
 * the machine may be shared. "gnmt" is the 8-layer GNMT of 84,464 nodes; the others are random
 * graphs of as many, layered like an unrolled model, on 8 devices; "wide" leaves HEFT many gaps to
 * look into.
 */
#include "engine/core/rng.h"
#include "engine/graph/graph-builder.h"
#include "engine/graph/workloads/workload.h"
#include "engine/learn/roster.h"
#include "tests/bench/bench-clock.h"

#include <stdio.h>

#define N_NODES 83700
#define N_RUNS 3

/* What takes longer than this is measured once. */
#define LONG_MS 5000

/* width: how far back nodes read, which is about how many may be ready at once. */
static GobanGraph *
make_graph (guint n_nodes, guint width)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("bench", "bench");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;
  GobanRng rng;

  goban_rng_init (&rng, 1);
  for (guint v = 0; v < n_nodes; v++)
    {
      goban_graph_builder_add_node (builder, "", "Op");
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, 5 + 95 * goban_rng_uniform (&rng),
                                    GOBAN_SOURCE_GIVEN);
      goban_graph_builder_get_node (builder, v)->param_bytes = goban_rng_below (&rng, 1 << 16);
      goban_graph_builder_add_tensor (builder, v, 1 << (8 + goban_rng_below (&rng, 10)));
    }
  for (guint v = 1; v < n_nodes; v++)
    for (guint i = 0; i < 1 + v % 2; i++)
      goban_graph_builder_add_edge (builder, v - 1 - goban_rng_below (&rng, MIN (width, v)), v);

  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

static void
measure (const GobanPlacer *placer, GobanCostModel *costs, const char *suffix)
{
  double least_ms = 0;

  for (guint i = 0; i < N_RUNS && least_ms < LONG_MS; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanPlan) plan = NULL;
      double start_ms = cpu_ms ();
      double run_ms;

      plan = goban_placer_place (placer, costs, NULL, NULL, &error);
      g_assert_no_error (error);
      run_ms = cpu_ms () - start_ms;
      least_ms = i == 0 ? run_ms : MIN (least_ms, run_ms);
    }
  printf ("%s-80k%s %.1f ms\n", placer->name, suffix, least_ms);
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x8", &error);
  g_autoptr (GobanGraph) graph = make_graph (N_NODES, 200);
  g_autoptr (GobanGraph) wide = make_graph (N_NODES, 20000);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanCostModel) wide_costs = NULL;
  g_autoptr (GobanGraph) gnmt = goban_workload_generate ("gnmt:layers=8", NULL);
  g_autoptr (GobanCostModel) gnmt_costs = NULL;
  gsize n_placers;
  const GobanPlacer *const *placers = goban_roster (&n_placers);

  g_assert_no_error (error);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  gnmt_costs = goban_cost_model_new (gnmt, cluster, GOBAN_EXECUTION_EVENTS);
  wide_costs = goban_cost_model_new (wide, cluster, GOBAN_EXECUTION_EVENTS);
  for (gsize p = 0; p < n_placers; p++)
    {
      if (placers[p]->effort != GOBAN_EFFORT_QUICK)
        continue;
      measure (placers[p], gnmt_costs, "-gnmt");
      measure (placers[p], costs, "");
      measure (placers[p], wide_costs, "-wide");
    }
  return 0;
}
