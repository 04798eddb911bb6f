/* bench-workloads.c: cost of generating graphs, and their sizes.
 *
 * Prints one line per figure, "name value unit": the least CPU time of several generations, since
 * the machine may be shared, then nodes, parameters, FLOPs, and the most memory that a P100 would
 * need, alone or with a layer on each of several, FIFO. Arguments are specs; without any, the
 * defaults of every family.
 */
#include "engine/graph/workloads/workload.h"
#include "engine/sim/simulator.h"
#include "tests/bench/bench-clock.h"

#include <stdio.h>
#include <string.h>

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

/* Layer i of n on the i-th part of the devices; the embedding on the first; the rest on the
 * last. */
static guint
layer_device (const char *name, guint n_layers, guint n_devices)
{
  const char *layer = strstr (name, "/layer_");

  if (strstr (name, "embedding/") != NULL)
    return 0;
  if (layer == NULL)
    return n_devices - 1;
  layer += strlen ("/layer_");
  return MIN (n_devices - 1,
              ((guint) g_ascii_strtoull (layer, NULL, 10) - 1) * n_devices / n_layers);
}

/* n_devices: 1, or as many as there are layers. */
static void
print_memory (GobanGraph *graph, const char *name, guint n_layers, guint n_devices)
{
  g_autofree char *preset = g_strdup_printf ("p100x%u", MAX (n_devices, 2));
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (preset, NULL);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, MAX (n_devices, 2));
  g_autoptr (GobanTrace) trace = NULL;
  double peak_bytes = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    goban_plan_set_device (
        plan, v, layer_device (goban_graph_get_node (graph, v)->name, n_layers, n_devices));
  trace = goban_simulate (costs, plan);
  for (guint d = 0; d < n_devices; d++)
    peak_bytes = MAX (peak_bytes, goban_trace_get_uses (trace)[d].peak_bytes);
  printf ("step-%s-%udev %.1f ms\n", name, n_devices, goban_trace_get_makespan (trace) / 1000);
  printf ("peak-%s-%udev %.2f GB\n", name, n_devices, peak_bytes / 1e9);
}

static void
bench_spec (const char *spec, const char *name, guint n_layers)
{
  g_autoptr (GobanGraph) graph = NULL;
  double best_ms = G_MAXDOUBLE;

  for (guint i = 0; i < 5; i++)
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
  print_memory (graph, name, n_layers, 1);
  if (n_layers > 1)
    print_memory (graph, name, n_layers, n_layers);
}

int
main (int argc, char **argv)
{
  static const char *const families[] = { "rnnlm", "gnmt", "transformer-xl" };

  for (int i = 1; i < argc; i++)
    bench_spec (argv[i], argv[i], 1);
  if (argc > 1)
    return 0;

  for (gsize i = 0; i < G_N_ELEMENTS (families); i++)
    for (guint layers = 2; layers <= 8; layers *= 2)
      {
        g_autofree char *spec = g_strdup_printf ("%s:layers=%u", families[i], layers);
        g_autofree char *name = g_strdup_printf ("%s-%u", families[i], layers);

        bench_spec (spec, name, layers);
      }
  return 0;
}
