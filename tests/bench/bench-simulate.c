/* bench-simulate.c: cost of one simulation.
 *
 * Prints one line per figure, "name value unit": the least CPU time of several runs, since the
 * machine may be shared. Every node reads from those shortly before it, 1.5 edges per node: from
 * 300 back, as in an unrolled model, or, in the "wide" graph, from 2000, so that 10,000 ops and
 * more are ready at a time; in the "full" graph, parameters do not fit the devices, so that memory
 * is accounted for. "random" places every node anywhere, and seven eighths of the edges cross;
 * "blocked" gives each device one stretch of the order. The figure without a suffix is the random
 * placement with priorities. Plans are laid out anew each time; bench-search measures what is saved
 * where they are alike. An argument like 80k runs that size only.
 */
#include "engine/core/rng.h"
#include "engine/graph/graph-builder.h"
#include "engine/graph/levels.h"
#include "engine/sim/simulator-private.h"
#include "tests/bench/bench-clock.h"
#include "tests/support/trace-check.h"

#include <stdio.h>
#include <string.h>

/* width: how far back nodes read, which is about how many may be ready at once. */
static GobanGraph *
make_graph (guint n_nodes, guint width, guint param_bytes)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("bench", "bench");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;
  GobanRng rng;

  goban_rng_init (&rng, 1);
  for (guint v = 0; v < n_nodes; v++)
    {
      char name[32];

      g_snprintf (name, sizeof name, "n%u", v);
      goban_graph_builder_add_node (builder, name, "Op");
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, 5 + 95 * goban_rng_uniform (&rng),
                                    GOBAN_SOURCE_GIVEN);
      goban_graph_builder_get_node (builder, v)->param_bytes = goban_rng_below (&rng, param_bytes);
      goban_graph_builder_add_tensor (builder, v, 1 << (8 + goban_rng_below (&rng, 10)));
    }
  for (guint v = 1; v < n_nodes; v++)
    for (guint i = 0; i < 1 + v % 2; i++)
      goban_graph_builder_add_edge (builder, v - 1 - goban_rng_below (&rng, MIN (width, v)), v);

  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

static GobanPlan *
make_plan (const GobanCostModel *costs, gboolean is_random, GobanOrder order)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  guint n_nodes = goban_graph_get_n_nodes (graph);
  GobanPlan *plan = goban_plan_new (graph, n_devices);
  g_autofree double *w = g_new (double, n_nodes);
  g_autofree double *level = g_new (double, n_nodes);
  GobanRng rng;

  goban_rng_init (&rng, 7);
  for (guint v = 0; v < n_nodes; v++)
    goban_plan_set_device (plan, v,
                           is_random ? goban_rng_below (&rng, n_devices)
                                     : (guint) ((guint64) v * n_devices / n_nodes));
  goban_cost_model_mean_times (costs, w);
  goban_graph_bottom_levels (graph, level, w, NULL);
  goban_plan_set_priorities_by_key (plan, level);
  goban_plan_set_order (plan, order);
  return plan;
}

static const char *
size_name (char *buffer, guint n_nodes)
{
  if (n_nodes % 1000000 == 0)
    g_snprintf (buffer, 16, "%uM", n_nodes / 1000000);
  else
    g_snprintf (buffer, 16, "%uk", n_nodes / 1000);
  return buffer;
}

/* All of it, as for a plan that has nothing in common with the one before. */
static void
evaluate_afresh (GobanSimulator *simulator, const GobanPlan *plan)
{
  sim_layout_plan (simulator, plan, FALSE);
  simulator->limit_us = SIM_NEVER_US;
  sim_loop_run (simulator);
}

static void
bench_evaluate (GobanSimulator *simulator, const GobanPlan *plan, const char *name, guint n_times)
{
  guint n_nodes = goban_plan_get_n_nodes (plan);
  double best_ms = G_MAXDOUBLE;

  evaluate_afresh (simulator, plan);
  for (guint i = 0; i < n_times; i++)
    {
      double start_ms = cpu_ms ();

      evaluate_afresh (simulator, plan);
      best_ms = MIN (best_ms, cpu_ms () - start_ms);
    }
  printf ("%s %.3f ms\n", name, best_ms);
  printf ("%s %.1f ns/node\n", name, best_ms * 1e6 / n_nodes);
}

static void
bench_run (GobanSimulator *simulator, GobanPlan *plan, const char *name, guint n_times)
{
  double best_ms = G_MAXDOUBLE;
  double check_ms = G_MAXDOUBLE;

  for (guint i = 0; i < n_times; i++)
    {
      g_autoptr (GError) error = NULL;
      double start_ms = cpu_ms ();
      g_autoptr (GobanTrace) trace = goban_simulator_run (simulator, plan);

      best_ms = MIN (best_ms, cpu_ms () - start_ms);
      start_ms = cpu_ms ();
      if (!goban_trace_check (trace, &error))
        g_error ("%s: %s", name, error->message);
      check_ms = MIN (check_ms, cpu_ms () - start_ms);
    }
  printf ("%s-run %.3f ms\n", name, best_ms);
  printf ("%s-check %.3f ms\n", name, check_ms);
}

/* One graph under both placements and both orders; all the story is told once. */
static void
bench_graph (guint n_nodes, guint width, guint param_bytes, const char *name, guint n_times)
{
  g_autoptr (GobanGraph) graph = make_graph (n_nodes, width, param_bytes);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("v100x8", NULL);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanSimulator) simulator = NULL;
  double start_ms = cpu_ms ();

  simulator = goban_simulator_new (costs);
  printf ("%s-prepare %.3f ms\n", name, cpu_ms () - start_ms);
  for (guint i = 0; i < 4; i++)
    {
      gboolean is_random = i % 2 == 0;
      GobanOrder order = i < 2 ? GOBAN_ORDER_PRIORITY : GOBAN_ORDER_FIFO;
      g_autoptr (GobanPlan) plan = make_plan (costs, is_random, order);
      g_autofree char *full_name
          = i == 0 ? g_strdup (name)
                   : g_strdup_printf ("%s-%s-%s", name, is_random ? "random" : "blocked",
                                      order == GOBAN_ORDER_FIFO ? "fifo" : "priority");

      bench_evaluate (simulator, plan, full_name, n_times);
      if (i == 0)
        bench_run (simulator, plan, name, MAX (n_times / 10, 1));
    }
}

static void
bench_size (guint n_nodes, guint n_times)
{
  char size[16];
  g_autofree char *name = g_strdup_printf ("simulate-%s-8dev", size_name (size, n_nodes));
  g_autofree char *wide_name = g_strdup_printf ("simulate-%s-8dev-wide", size);
  g_autofree char *full_name = g_strdup_printf ("simulate-%s-8dev-full", size);

  bench_graph (n_nodes, 300, 1 << 16, name, n_times);
  if (n_nodes != 80000)
    return;
  bench_graph (n_nodes, 2000, 1 << 16, wide_name, n_times);
  bench_graph (n_nodes, 300, 1 << 22, full_name, n_times);
}

int
main (int argc, char **argv)
{
  const char *only = argc > 1 ? argv[1] : "";
  static const guint sizes[] = { 10000, 80000, 250000, 1000000 };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      char size[16];

      if (*only == '\0' || strcmp (only, size_name (size, sizes[i])) == 0)
        bench_size (sizes[i], sizes[i] <= 80000 ? 40 : 6);
    }
  return 0;
}
