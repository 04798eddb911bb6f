#include "tests/support/toys.h"

#include "engine/core/rng.h"
#include "engine/graph/workloads/workload.h"
#include "engine/learn/roster.h"
#include "engine/machine/plan/plan-diff.h"
#include "engine/sim/simulator.h"
#include "tests/support/graph-gen.h"
#include "tests/support/trace-check.h"

#include <math.h>

static void
add_op (GobanGraphBuilder *builder, const char *name, const char *op, double time_us)
{
  guint32 node = goban_graph_builder_add_node (builder, name, op);

  goban_graph_builder_set_time (builder, node, GOBAN_ANY_KIND, time_us, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_add_tensor (builder, node, 1000);
}

GobanGraph *
toy_finish (GobanGraphBuilder *builder)
{
  g_autoptr (GError) error = NULL;
  GobanGraph *graph = goban_graph_builder_finish (builder, NULL, &error);

  g_assert_no_error (error);
  return graph;
}

GobanGraph *
toy_diamond (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("diamond", "test");

  add_op (builder, "source", "Split", 10);
  add_op (builder, "left", "Conv", 100);
  add_op (builder, "right", "Conv", 100);
  add_op (builder, "sink", "Add", 10);
  goban_graph_builder_add_edge (builder, 0, 1);
  goban_graph_builder_add_edge (builder, 0, 2);
  goban_graph_builder_add_edge (builder, 1, 3);
  goban_graph_builder_add_edge (builder, 2, 3);
  goban_graph_builder_get_node (builder, 1)->param_bytes = 4000;
  goban_graph_builder_get_node (builder, 1)->param_count = 1000;
  goban_graph_builder_get_node (builder, 1)->macs = 5e6;
  return toy_finish (builder);
}

GobanGraph *
toy_chain (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("chain", "test");

  for (guint i = 0; i < 4; i++)
    {
      char name[] = { 'a' + i, '\0' };

      add_op (builder, name, "Relu", 10);
      if (i > 0)
        goban_graph_builder_add_edge (builder, i - 1, i);
    }
  return toy_finish (builder);
}

static const double paper_times[10][3] = {
  { 14, 16, 9 }, { 13, 19, 18 }, { 11, 13, 19 }, { 13, 8, 17 },  { 12, 13, 10 },
  { 13, 16, 9 }, { 7, 15, 11 },  { 5, 11, 14 },  { 18, 12, 20 }, { 21, 7, 16 },
};

/* tail, head, transfer time; tasks from 1 as in the paper */
static const guint paper_edges[][3] = {
  { 1, 2, 18 }, { 1, 3, 12 }, { 1, 4, 9 },   { 1, 5, 11 },  { 1, 6, 14 },
  { 2, 8, 19 }, { 2, 9, 16 }, { 3, 7, 23 },  { 4, 8, 27 },  { 4, 9, 23 },
  { 5, 9, 13 }, { 6, 8, 15 }, { 7, 10, 17 }, { 8, 10, 11 }, { 9, 10, 13 },
};

GobanGraph *
toy_topcuoglu (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("paper", "test");

  for (guint v = 0; v < G_N_ELEMENTS (paper_times); v++)
    {
      static const char *const kinds[] = { "p0", "p1", "p2" };
      g_autofree char *name = g_strdup_printf ("T%u", v + 1);

      goban_graph_builder_add_node (builder, name, "Task");
      for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
        goban_graph_builder_set_time (builder, v, kinds[k], paper_times[v][k], GOBAN_SOURCE_GIVEN);
    }
  for (guint e = 0; e < G_N_ELEMENTS (paper_edges); e++)
    {
      guint32 tensor = goban_graph_builder_add_tensor (builder, paper_edges[e][0] - 1, 1);

      goban_graph_builder_set_transfer (builder, tensor, GOBAN_ANY_KIND, GOBAN_ANY_KIND,
                                        paper_edges[e][2]);
      goban_graph_builder_add_edge (builder, tensor, paper_edges[e][1] - 1);
    }

  return toy_finish (builder);
}

GobanGraph *
toy_two_chains (guint length)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("chains", "test");

  for (guint v = 0; v < 2 * length; v++)
    {
      guint32 tensor;

      goban_graph_builder_add_node (builder, "", v < length ? "Left" : "Right");
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, 10, GOBAN_SOURCE_GIVEN);
      tensor = goban_graph_builder_add_tensor (builder, v, 1000);
      if (v % length > 0)
        goban_graph_builder_add_edge (builder, tensor - 1, v);
    }
  return toy_finish (builder);
}

GobanGraph *
toy_of_names (const char *const *names)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("names", "test");

  for (; *names != NULL; names++)
    goban_graph_builder_add_node (builder, *names, **names == 'C' ? "Conv" : "Add");
  return toy_finish (builder);
}

GobanGraph *
toy_mixed (guint n_nodes, guint64 seed)
{
  static const char *const ops[] = { "MatMul", "Add", "Relu", "Tanh", "ReduceSum", "Reshape" };
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("mixed", "test");
  guint32 tensor = 0;
  GobanRng rng;

  goban_rng_init (&rng, seed);
  for (guint v = 0; v < n_nodes; v++)
    {
      guint where = goban_rng_below (&rng, 10); /* 0: on GPUs alone, 1: on the CPU */
      gboolean is_grouped = goban_rng_below (&rng, 4) == 0;
      double on_gpu_us = 1 + goban_rng_below (&rng, 9), on_cpu_us = on_gpu_us * 4;

      goban_graph_builder_add_node (builder, "", ops[goban_rng_below (&rng, G_N_ELEMENTS (ops))]);
      goban_graph_builder_get_node (builder, v)->param_bytes = goban_rng_below (&rng, 20);
      if (is_grouped)
        goban_graph_builder_set_group (builder, v, goban_rng_below (&rng, n_nodes / 6 + 1));
      goban_graph_builder_set_time (builder, v, "gpu",
                                    where == 1 && !is_grouped ? (double) INFINITY : on_gpu_us,
                                    GOBAN_SOURCE_GIVEN);
      goban_graph_builder_set_time (builder, v, "cpu",
                                    where == 0 && !is_grouped ? (double) INFINITY : on_cpu_us,
                                    GOBAN_SOURCE_GIVEN);
    }
  for (guint v = 0; v + 1 < n_nodes; v++)
    {
      guint reach = MIN (n_nodes - v - 1, 7);

      tensor = goban_graph_builder_add_tensor (builder, v, goban_rng_below (&rng, 20));
      for (guint i = 0; i < 1 + goban_rng_below (&rng, 2); i++)
        goban_graph_builder_add_edge (builder, tensor, v + 1 + goban_rng_below (&rng, reach));
      if (goban_rng_below (&rng, 10) == 0)
        goban_graph_builder_add_control_edge (builder, v, v + 1);
    }
  return toy_finish (builder);
}

gboolean
toy_plans_are_same (const GobanPlan *a, const GobanPlan *b)
{
  g_autoptr (GobanPlanDiff) diff = goban_plan_diff (a, b);
  gboolean is_same = diff->n_moved == 0 && diff->n_reprioritised == 0 && diff->n_refused == 0;

  return is_same && diff->same_order && diff->same_transfers;
}

GobanCostModel *
toy_costs (GobanGraph *graph, const char *spec)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = *spec == '{'
                                         ? goban_cluster_new_from_json (spec, -1, "test", &error)
                                         : goban_cluster_new_from_spec (spec, &error);

  g_assert_no_error (error);
  return goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
}

GobanGraph *
toy_generate (const char *spec)
{
  g_autoptr (GError) error = NULL;
  GobanGraph *graph = goban_workload_generate (spec, &error);

  g_assert_no_error (error);
  return graph;
}

GobanCostModel *
toy_generated_costs (const char *graph, const char *spec)
{
  g_autoptr (GobanGraph) generated = toy_generate (graph);

  return toy_costs (generated, spec);
}

GobanCostModel *
toy_small_costs (guint n_nodes, guint64 seed, const char *spec)
{
  GraphGen gen = graph_gen_small (n_nodes);
  g_autoptr (GobanGraph) graph = NULL;

  gen.group_share = seed % 3 == 0 ? 0.2 : 0;
  graph = graph_gen_new (&gen, seed);
  return toy_costs (graph, spec);
}

/* clang-format off */
#define TIGHT_CLUSTER                                                                              \
  "{ \"devices\": ["                                                                               \
  TOY_DEVICE ("d0", "gpu", "30") "," TOY_DEVICE ("d1", "gpu", "40") ","                          \
  TOY_DEVICE ("d2", "gpu", "60") "], \"all_pairs\": { \"bandwidth\": 1e6 } }"
/* clang-format on */

GobanCostModel *
toy_various_costs (guint i)
{
  g_autoptr (GobanGraph) graph = NULL;

  switch (i % 4)
    {
    case 0:
      graph = toy_mixed (8 + i, i);
      return toy_costs (graph, TOY_MIXED_CLUSTER);
    case 1:
      graph = toy_topcuoglu ();
      return toy_costs (graph, TOY_TOPCUOGLU_CLUSTER);
    case 2:
      return toy_small_costs (6 + 2 * i, i, "p100x4");
    default:
      return toy_small_costs (10 + i, i, TIGHT_CLUSTER);
    }
}

GobanPlan *
toy_place (GobanCostModel *costs, const char *policy, guint64 seed)
{
  GobanPlacerOptions options = { .seed = seed };
  g_autoptr (GError) error = NULL;
  const GobanPlacer *placer = goban_roster_find (policy, &error);
  GobanPlan *plan = goban_placer_place (placer, costs, &options, NULL, &error);

  g_assert_no_error (error);
  goban_plan_check (plan, costs, &error);
  g_assert_no_error (error);
  return plan;
}

double
toy_makespan_us (GobanCostModel *costs, GobanPlan *plan)
{
  g_autoptr (GobanTrace) trace = goban_simulate (costs, plan);
  g_autoptr (GError) error = NULL;

  goban_trace_check (trace, &error);
  g_assert_no_error (error);
  return goban_trace_get_makespan (trace);
}
