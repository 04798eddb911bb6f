#include "engine/sim/simulator.h"

#include "engine/graph/graph-builder.h"
#include "tests/sim/random-run.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"

#include <math.h>

/* The shortest run there is by exhaustion: every placement, every order of priorities. */
typedef struct
{
  double any_us;   /* of all runs */
  double valid_us; /* of those within memory, INFINITY where there is none */
} Optimum;

static gboolean
next_permutation (guint32 *values, guint n)
{
  guint i = n - 1;
  guint j = n - 1;

  while (i > 0 && values[i - 1] > values[i])
    i--;
  if (i == 0)
    return FALSE;
  while (values[j] < values[i - 1])
    j--;
  {
    guint32 kept = values[j];

    values[j] = values[i - 1];
    values[i - 1] = kept;
  }
  for (guint a = i, b = n - 1; a < b; a++, b--)
    {
      guint32 kept = values[a];

      values[a] = values[b];
      values[b] = kept;
    }
  return TRUE;
}

static Optimum
search (GobanCostModel *costs, guint n_nodes)
{
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, n_devices);
  Optimum optimum = { (double) INFINITY, (double) INFINITY };
  guint n_placements = (guint) pow (n_devices, n_nodes);

  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  for (guint code = 0; code < n_placements; code++)
    {
      guint32 rank[8];

      for (guint v = 0, rest = code; v < n_nodes; v++, rest /= n_devices)
        {
          goban_plan_set_device (plan, v, rest % n_devices);
          rank[v] = v;
        }
      if (!goban_plan_check (plan, costs, NULL))
        continue;
      do
        {
          GobanOutcome outcome;

          for (guint v = 0; v < n_nodes; v++)
            goban_plan_set_priority (plan, v, (gint32) rank[v]);
          outcome = goban_simulator_evaluate (simulator, plan);
          optimum.any_us = MIN (optimum.any_us, outcome.makespan_us);
          if (outcome.overflow_bytes == 0)
            optimum.valid_us = MIN (optimum.valid_us, outcome.makespan_us);
        }
      while (next_permutation (rank, n_nodes));
    }
  return optimum;
}

static GobanCluster *
make_cluster (GobanRng *rng)
{
  g_autofree char *json = g_strdup_printf (
      "{\"devices\": [{\"name\": \"a\", \"kind\": \"gpu\", \"tflops\": 1, \"memory_bandwidth\": 1,"
      " \"memory\": %u}, {\"name\": \"b\", \"kind\": \"cpu\", \"tflops\": 1, \"memory_bandwidth\": "
      "1,"
      " \"memory\": %u}], \"all_pairs\": {\"bandwidth\": %u000000, \"latency\": %u}}",
      10 + goban_rng_below (rng, 30), 10 + goban_rng_below (rng, 30), 1 + goban_rng_below (rng, 4),
      goban_rng_below (rng, 4));

  return goban_cluster_new_from_json (json, -1, "two", NULL);
}

static void
check_seed (guint n_nodes, guint64 seed, guint *n_forced, guint *n_hopeless)
{
  GraphGen gen = graph_gen_small (n_nodes);
  GobanRng rng;
  g_autoptr (GobanGraph) plain = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  GobanBounds bounds;
  Optimum optimum;

  goban_rng_init (&rng, seed);
  gen.max_param_bytes = 9;
  gen.max_bytes = 6;
  plain = graph_gen_new (&gen, seed);
  graph = seed % 2 ? rebuild_graph (plain, &(Rebuild){ .kinds = &rng }, NULL)
                   : goban_graph_ref (plain);
  cluster = make_cluster (&rng);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  bounds = goban_bounds (costs);
  optimum = search (costs, n_nodes);
  g_assert_cmpfloat (bounds.critical_path_us, <=, optimum.any_us * (1 + 1e-12));
  g_assert_cmpfloat (bounds.work_us, <=, optimum.any_us * (1 + 1e-12));
  g_assert_cmpfloat (bounds.bound_us, <=, optimum.valid_us * (1 + 1e-12));
  *n_forced += bounds.memory_us > 0 && isfinite (bounds.memory_us);
  *n_hopeless += isinf (bounds.memory_us);
}

/* Every way of fusing a few nodes on every placement keeps above the bound for fused plans, which
 * is no higher than the one for plans that fuse nothing. */
static void
test_under_fused (void)
{
  guint n_faster = 0;

  for (guint64 seed = 0; seed < 300; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autoptr (GobanSimulator) simulator = NULL;
      GobanBounds bounds, unfused;
      GobanRng rng;

      fused_run_init (&run, 8, seed);
      goban_rng_init (&rng, seed);
      bounds = goban_bounds_when_fused (run.costs);
      unfused = goban_bounds (run.costs);
      g_assert_cmpfloat (bounds.critical_path_us, <=, unfused.critical_path_us * (1 + 1e-12));
      g_assert_cmpfloat (bounds.memory_us, <=, unfused.memory_us);
      simulator = goban_simulator_new (run.costs);
      for (guint i = 0; i < 20; i++)
        {
          g_autoptr (GobanPlan) plan = random_plan (run.costs, &rng);
          GobanOutcome outcome;

          fuse_at_random (plan, run.costs, &rng);
          if (!goban_plan_check (plan, run.costs, NULL))
            continue;
          outcome = goban_simulator_evaluate (simulator, plan);
          g_assert_cmpfloat (MAX (bounds.critical_path_us, bounds.work_us), <=,
                             outcome.makespan_us * (1 + 1e-12));
          if (outcome.overflow_bytes == 0)
            g_assert_cmpfloat (bounds.bound_us, <=, outcome.makespan_us * (1 + 1e-12));
          n_faster += outcome.makespan_us < unfused.bound_us;
        }
    }
  /* Or one bound would do. */
  g_assert_cmpuint (n_faster, >, 20);
}

static void
test_under_optimum (void)
{
  guint n_forced = 0;
  guint n_hopeless = 0;

  for (guint64 seed = 0; seed < 150; seed++)
    check_seed (4 + seed % 2, seed, &n_forced, &n_hopeless);
  for (guint64 seed = 1000; seed < 1006; seed++)
    check_seed (6, seed, &n_forced, &n_hopeless);
  /* The graphs try what they are meant to try. */
  g_assert_cmpuint (n_forced, >, 10);
  g_assert_cmpuint (n_hopeless, >, 5);
}

static GobanGraph *
make_independent (guint n, double gpu_us, double cpu_us)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("independent", "test");

  for (guint v = 0; v < n; v++)
    {
      goban_graph_builder_add_node (builder, "", "Op");
      goban_graph_builder_set_time (builder, v, "gpu", gpu_us, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_set_time (builder, v, "cpu", cpu_us, GOBAN_SOURCE_GIVEN);
    }
  return goban_graph_builder_finish (builder, NULL, NULL);
}

/* One device of a slow kind adds little: 100 ops of 1 us, or 9 us on the other, share out best as
 * 90 and 10, so no schedule is shorter than 90 us, where work / devices says 50. */
static void
test_unequal_devices (void)
{
  g_autoptr (GobanGraph) graph = make_independent (100, 1, 9);
  g_autoptr (GobanGraph) gpu_only = make_independent (100, 1, (double) INFINITY);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("cpu+gpu", NULL);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanCostModel) gpu_costs
      = goban_cost_model_new (gpu_only, cluster, GOBAN_EXECUTION_EVENTS);

  g_assert_cmpfloat (goban_bounds (costs).work_us, <=, 90 * (1 + 1e-12));
  g_assert_cmpfloat (goban_bounds (costs).work_us, >, 89);
  g_assert_cmpfloat (goban_bounds (gpu_costs).work_us, <=, 100 * (1 + 1e-12));
  g_assert_cmpfloat (goban_bounds (gpu_costs).work_us, >, 99);
}

/* a 10 --100 B--> b 10, 60 B of parameters each, devices of 100 B: the edge must cross, which takes
 * 5 + 50 us; and with 120 B each they fit nowhere. */
static void
test_forced_crossing (void)
{
  static const char *const json
      = "{\"devices\": [{\"name\": \"d\", \"count\": 2, \"kind\": \"gpu\", \"tflops\": 1,"
        " \"memory_bandwidth\": 1, \"memory\": 200}],"
        " \"all_pairs\": {\"bandwidth\": 2000000, \"latency\": 5}}";

  for (guint i = 0; i < 3; i++)
    {
      static const double params[] = { 50, 110, 210 };
      static const double expected[] = { 0, 60, (double) INFINITY };
      g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("pair", "test");
      g_autoptr (GobanCluster) cluster = goban_cluster_new_from_json (json, -1, "two", NULL);
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanCostModel) costs = NULL;

      for (guint v = 0; v < 2; v++)
        {
          goban_graph_builder_add_node (builder, "", "Op");
          goban_graph_builder_get_node (builder, v)->param_bytes = params[i];
          goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, 10, GOBAN_SOURCE_GIVEN);
        }
      goban_graph_builder_add_edge (builder, goban_graph_builder_add_tensor (builder, 0, 70), 1);
      graph = goban_graph_builder_finish (builder, NULL, NULL);
      costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
      g_assert_cmpfloat (goban_bounds (costs).memory_us, ==, expected[i]);
    }
}

/* The same edge, whose times the graph gives: 50 us between GPUs, 7 us to the CPU, 20 us from it.
 * The link between the GPUs is the fastest, which says nothing about another kind of receiver. */
static void
test_given_crossing (void)
{
  static const char *const json
      = "{\"devices\": [{\"name\": \"gpu\", \"count\": 2, \"kind\": \"gpu\", \"tflops\": 1,"
        " \"memory_bandwidth\": 1, \"memory\": 200},"
        " {\"name\": \"cpu\", \"kind\": \"cpu\", \"tflops\": 1, \"memory_bandwidth\": 1,"
        " \"memory\": 200}], \"all_pairs\": {\"bandwidth\": 2000000, \"latency\": 5}}";
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("pair", "test");
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_json (json, -1, "three", NULL);
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  guint32 tensor;

  for (guint v = 0; v < 2; v++)
    {
      goban_graph_builder_add_node (builder, "", "Op");
      goban_graph_builder_get_node (builder, v)->param_bytes = 110;
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, 10, GOBAN_SOURCE_GIVEN);
    }
  tensor = goban_graph_builder_add_tensor (builder, 0, 70);
  goban_graph_builder_set_transfer (builder, tensor, "gpu", "gpu", 50);
  goban_graph_builder_set_transfer (builder, tensor, "gpu", "cpu", 7);
  goban_graph_builder_set_transfer (builder, tensor, "cpu", "gpu", 20);
  goban_graph_builder_add_edge (builder, tensor, 1);
  graph = goban_graph_builder_finish (builder, NULL, NULL);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_assert_cmpfloat (goban_bounds (costs).memory_us, ==, 10 + 7 + 10);
}

TEST_PROGRAM (bounds)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/bounds/under-optimum", test_under_optimum);
  g_test_add_func ("/sim/bounds/under-fused", test_under_fused);
  g_test_add_func ("/sim/bounds/unequal-devices", test_unequal_devices);
  g_test_add_func ("/sim/bounds/forced-crossing", test_forced_crossing);
  g_test_add_func ("/sim/bounds/given-crossing", test_given_crossing);
  return g_test_run ();
}
