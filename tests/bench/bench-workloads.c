/* bench-workloads.c: what it takes to generate a graph, and what was generated.
 *
 * Prints one line per figure, "name value unit": the least CPU time of several generations, since
 * the machine may be shared, then nodes, parameters, FLOPs, and the most memory that a
 * single P100 would need, FIFO. Arguments are specs; without any, the defaults of every family.
 */
#include "engine/sim/simulator.h"
#include "engine/workloads/workload.h"
#include "tests/bench/bench-clock.h"

#include <stdio.h>

static void
print_totals (const GobanGraph *graph, const char *name)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  double flops = 0;
  double params = 0;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      flops += goban_graph_get_node (graph, v)->flops;
      params += goban_graph_get_node (graph, v)->param_count;
    }
  printf ("nodes-%s %u nodes\n", name, n_nodes);
  printf ("params-%s %.3f M\n", name, params / 1e6);
  printf ("flops-%s %.3f GFLOP\n", name, flops / 1e9);
}

static void
print_memory (GobanGraph *graph, const char *name)
{
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x1", NULL);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, FALSE);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 1);
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  GobanOutcome outcome = goban_simulator_evaluate (simulator, plan);
  g_autoptr (GobanTrace) trace = goban_simulator_run (simulator, plan);

  printf ("step-%s %.1f ms\n", name, outcome.makespan_us / 1000);
  printf ("peak-%s %.2f GB\n", name, goban_trace_get_uses (trace)[0].peak_bytes / 1e9);
}

static void
bench_spec (const char *spec, const char *name, guint n_times)
{
  g_autoptr (GobanGraph) graph = NULL;
  double best_ms = G_MAXDOUBLE;

  for (guint i = 0; i < n_times; i++)
    {
      g_autoptr (GError) error = NULL;
      double start_ms = cpu_ms ();

      g_clear_pointer (&graph, goban_graph_unref);
      graph = goban_workload_generate (spec, &error);
      if (graph == NULL)
        g_error ("%s: %s", spec, error->message);
      best_ms = MIN (best_ms, cpu_ms () - start_ms);
    }
  printf ("generate-%s %.1f ms\n", name, best_ms);
  print_totals (graph, name);
  print_memory (graph, name);
}

int
main (int argc, char **argv)
{
  static const char *const families[] = { "rnnlm", "gnmt", "transformer-xl" };

  for (int i = 1; i < argc; i++)
    bench_spec (argv[i], argv[i], 3);
  if (argc > 1)
    return 0;

  for (gsize i = 0; i < G_N_ELEMENTS (families); i++)
    for (guint layers = 2; layers <= 8; layers *= 2)
      {
        g_autofree char *spec = g_strdup_printf ("%s:layers=%u", families[i], layers);
        g_autofree char *name = g_strdup_printf ("%s-%u", families[i], layers);

        bench_spec (spec, name, 5);
      }
  return 0;
}
