/* bench-fusion.c: cost and gain of fusion decisions.
 *
 * Prints one line per figure, "name value unit": the least CPU time of several runs. The graph is
 * like an unrolled training graph of TensorFlow ops: a matrix product, a bias, activations, now
 * and then a reduction, a reshape or a variable; each reads one of those just before it and
 * sometimes one from up to 300 back; the second half also reads what the first half made, last
 * first, as backward ops do. All ops are estimated.
 */
#include "engine/core/rng.h"
#include "engine/graph/graph-builder.h"
#include "engine/graph/workloads/workload.h"
#include "engine/placers/policies.h"
#include "engine/sim/fusion/contraction.h"
#include "engine/sim/fusion/fusion.h"
#include "engine/sim/simulator.h"
#include "tests/bench/bench-clock.h"

#include <stdio.h>

#define N_NODES 80000
#define N_TIMES 20

static const char *
pick_op (GobanRng *rng)
{
  static const char *const words[]
      = { "MatMul",  "BiasAdd", "Mul",  "Sigmoid", "Tanh", "Add",    "Reshape", "Sub",
          "Maximum", "Mul",     "Cast", "Relu",    "Sum",  "Concat", "Tile",    "ReadVariableOp" };

  return words[goban_rng_below (rng, G_N_ELEMENTS (words))];
}

static void
add_edges (GobanGraphBuilder *builder, GobanRng *rng, guint v)
{
  goban_graph_builder_add_edge (builder, v - 1 - goban_rng_below (rng, MIN (v, 3)), v);
  if (goban_rng_below (rng, 4) == 0)
    goban_graph_builder_add_edge (builder, v - 1 - goban_rng_below (rng, MIN (v, 300)), v);
  if (v > N_NODES / 2 && goban_rng_below (rng, 3) == 0)
    goban_graph_builder_add_edge (builder, N_NODES - 1 - v, v);
}

static GobanGraph *
make_graph (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("bench", "bench");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;
  GobanRng rng;

  goban_rng_init (&rng, 1);
  for (guint v = 0; v < N_NODES; v++)
    {
      char name[32];
      double bytes = 1 << (12 + goban_rng_below (&rng, 10));
      GobanNode *node;

      g_snprintf (name, sizeof name, "n%u", v);
      goban_graph_builder_add_node (builder, name, pick_op (&rng));
      node = goban_graph_builder_get_node (builder, v);
      node->written_bytes = bytes;
      node->read_bytes = 2 * bytes;
      node->flops = g_str_equal (node->op, "MatMul") ? 500 * bytes : bytes;
      goban_graph_builder_add_tensor (builder, v, bytes);
    }
  for (guint v = 1; v < N_NODES; v++)
    add_edges (builder, &rng, v);
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

static GobanPlan *
make_plan (const GobanGraph *graph, guint n_devices, gboolean is_random)
{
  GobanPlan *plan = goban_plan_new (graph, n_devices);
  GobanRng rng;

  goban_rng_init (&rng, 7);
  for (guint v = 0; v < N_NODES; v++)
    {
      goban_plan_set_device (plan, v,
                             is_random ? goban_rng_below (&rng, n_devices)
                                       : (guint) ((guint64) v * n_devices / N_NODES));
      goban_plan_set_priority (plan, v, (gint32) (N_NODES - v));
    }
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  return plan;
}

typedef guint (*Executor) (GobanFuser *fuser, GobanPlan *plan, const gint32 *levels);

static guint
by_default (GobanFuser *fuser, GobanPlan *plan, const gint32 *levels)
{
  return goban_fuser_fuse_default (fuser, plan);
}

static void
bench_executor (GobanCostModel *costs, GobanPlan *plan, Executor execute, const char *name)
{
  g_autoptr (GobanFuser) fuser = goban_fuser_new (costs);
  g_autoptr (GError) error = NULL;
  g_autofree gint32 *levels = g_new (gint32, goban_plan_get_n_nodes (plan));
  double best_ms = G_MAXDOUBLE;
  guint n_clusters = 0;
  guint n_fused = 0;
  GobanRng rng;

  goban_rng_init (&rng, 3);
  for (guint v = 0; v < goban_plan_get_n_nodes (plan); v++)
    levels[v] = (gint32) goban_rng_below (&rng, 16);
  for (guint i = 0; i < N_TIMES; i++)
    {
      double start_ms = cpu_ms ();

      n_clusters = execute (fuser, plan, levels);
      best_ms = MIN (best_ms, cpu_ms () - start_ms);
    }
  if (!goban_fusion_check (plan, costs, &error))
    g_error ("%s: %s", name, error->message);
  for (guint v = 0; v < goban_plan_get_n_nodes (plan); v++)
    n_fused += goban_plan_get_fusions (plan)[v] != GOBAN_NO_FUSION;
  printf ("%s %.3f ms\n", name, best_ms);
  printf ("%s-clusters %u\n%s-fused-nodes %u\n", name, n_clusters, name, n_fused);
}

static void
bench_evaluate (GobanCostModel *costs, const GobanPlan *plan, const char *name)
{
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  double best_ms = G_MAXDOUBLE;
  GobanOutcome outcome = { 0 };

  for (guint i = 0; i < N_TIMES; i++)
    {
      double start_ms = cpu_ms ();

      outcome = goban_simulator_evaluate (simulator, plan);
      best_ms = MIN (best_ms, cpu_ms () - start_ms);
    }
  printf ("%s %.3f ms\n%s-makespan %.3f s\n", name, best_ms, name, outcome.makespan_us / 1e6);
}

static void
bench_contraction (GobanCostModel *costs, const GobanPlan *plan, const char *name)
{
  g_autoptr (GobanContraction) contraction = goban_contraction_new (costs);
  double best_ms = G_MAXDOUBLE;

  for (guint i = 0; i < N_TIMES; i++)
    {
      double start_ms = cpu_ms ();

      goban_contraction_fill (contraction, plan);
      best_ms = MIN (best_ms, cpu_ms () - start_ms);
    }
  printf ("%s %.3f ms\n", name, best_ms);
}

/* A real graph to train, as GO's rollouts have it: 84,464 nodes placed by the expert. */
static void
bench_gnmt (GobanCluster *cluster)
{
  g_autoptr (GobanGraph) graph = goban_workload_generate ("gnmt:layers=8", NULL); /* ours */
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanPlan) plan
      = goban_placer_place (&goban_placer_expert, costs, NULL, NULL, NULL); /* runs on a V100 */

  bench_executor (costs, plan, goban_fuser_fuse_by_priority, "fusion-gnmt-priority");
}

int
main (void)
{
  static const char *const names[] = { "blocked", "random" };
  g_autoptr (GobanGraph) graph = make_graph ();
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("v100x8", NULL);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GobanPlan) plan = make_plan (graph, 8, i == 1);
      g_autofree char *unfused = g_strdup_printf ("fusion-80k-%s-unfused-evaluate", names[i]);
      g_autofree char *by_xla = g_strdup_printf ("fusion-80k-%s-default", names[i]);
      g_autofree char *by_level = g_strdup_printf ("fusion-80k-%s-priority", names[i]);

      bench_evaluate (costs, plan, unfused);
      for (guint k = 0; k < 2; k++)
        {
          const char *name = k == 0 ? by_xla : by_level;
          g_autofree char *evaluate = g_strconcat (name, "-evaluate", NULL);
          g_autofree char *contract = g_strconcat (name, "-contract", NULL);

          bench_executor (costs, plan, k == 0 ? by_default : goban_fuser_fuse_by_priority, name);
          bench_contraction (costs, plan, contract);
          bench_evaluate (costs, plan, evaluate);
        }
    }
  bench_gnmt (cluster);
  return 0;
}
