#include "engine/sim/simulator.h"

#include "engine/graph/graph-builder.h"
#include "engine/sim/trace-json.h"
#include "tests/sim/brute-force.h"
#include "tests/sim/random-run.h"
#include "tests/support/graph-gen.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "tests/support/trace-check.h"

#include <math.h>

/* Every run of these tests goes through the checker. */
static GobanTrace *
run_checked (GobanCostModel *costs, GobanPlan *plan)
{
  g_autoptr (GError) error = NULL;
  GobanTrace *trace = goban_simulate (costs, plan);

  goban_trace_check (trace, &error);
  g_assert_no_error (error);
  return trace;
}

static void
assert_equals_brute_force (const GobanTrace *trace, const BruteRun *brute)
{
  guint n_nodes = goban_plan_get_n_nodes (goban_trace_get_plan (trace));
  guint n_devices = goban_plan_get_n_devices (goban_trace_get_plan (trace));
  const GobanOpSpan *ops = goban_trace_get_ops (trace);
  guint n_transfers;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n_transfers);

  g_assert_cmpfloat (goban_trace_get_makespan (trace), ==, brute->makespan_us);
  for (guint v = 0; v < n_nodes; v++)
    {
      g_assert_cmpfloat (ops[v].ready_us, ==, brute->ops[v].ready_us);
      g_assert_cmpfloat (ops[v].start_us, ==, brute->ops[v].start_us);
      g_assert_cmpfloat (ops[v].finish_us, ==, brute->ops[v].finish_us);
    }
  g_assert_cmpuint (n_transfers, ==, brute->n_transfers);
  for (guint i = 0; i < n_transfers; i++)
    {
      g_assert_cmpuint (transfers[i].tensor, ==, brute->transfers[i].tensor);
      g_assert_cmpuint (transfers[i].from, ==, brute->transfers[i].from);
      g_assert_cmpuint (transfers[i].to, ==, brute->transfers[i].to);
      g_assert_cmpfloat (transfers[i].ready_us, ==, brute->transfers[i].ready_us);
      g_assert_cmpfloat (transfers[i].start_us, ==, brute->transfers[i].start_us);
      g_assert_cmpfloat (transfers[i].finish_us, ==, brute->transfers[i].finish_us);
    }
  for (guint d = 0; d < n_devices; d++)
    g_assert_cmpfloat (goban_trace_get_uses (trace)[d].peak_bytes, ==, brute->peak_bytes[d]);
}

/* The search's short answer says what the whole story does. */
static void
assert_outcome (GobanSimulator *simulator, const GobanPlan *plan, const GobanTrace *trace)
{
  const GobanCluster *cluster = goban_cost_model_get_cluster (goban_trace_get_costs (trace));
  GobanOutcome outcome = goban_simulator_evaluate (simulator, plan);
  double overflow_bytes = 0;

  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    overflow_bytes
        = MAX (overflow_bytes, goban_trace_get_uses (trace)[d].peak_bytes
                                   - goban_cluster_get_device (cluster, d)->memory_bytes);
  g_assert_cmpfloat (outcome.makespan_us, ==, goban_trace_get_makespan (trace));
  g_assert_cmpfloat (outcome.overflow_bytes, ==, overflow_bytes);
  g_assert_cmpint (goban_trace_is_valid (trace), ==, overflow_bytes == 0);
}

typedef void (*InitFunc) (RandomRun *run, guint n_nodes, guint64 seed);

/* Whether anything was fused. */
static gboolean
compare_with_brute_force (InitFunc init, guint n_nodes, guint64 seed)
{
  g_auto (RandomRun) run = { NULL };
  g_auto (BruteRun) brute = { 0 };
  g_autoptr (GobanSimulator) simulator = NULL;
  g_autoptr (GobanTrace) trace = NULL;

  init (&run, n_nodes, seed);
  g_test_message ("seed %" G_GUINT64_FORMAT ", %u nodes", seed, n_nodes);
  trace = run_checked (run.costs, run.plan);
  brute_run_init (&brute, run.costs, run.plan);
  assert_equals_brute_force (trace, &brute);
  simulator = goban_simulator_new (run.costs);
  assert_outcome (simulator, run.plan, trace);
  return goban_trace_is_fused (trace);
}

static void
test_twin_small (gconstpointer data)
{
  guint64 first = GPOINTER_TO_UINT (data) * 1000;

  for (guint64 seed = first; seed < first + 1000; seed++)
    compare_with_brute_force (random_run_init, 1 + seed % 7, seed);
}

static void
test_twin_fused (gconstpointer data)
{
  guint64 first = GPOINTER_TO_UINT (data) * 500;
  guint n_fused = 0;

  for (guint64 seed = first; seed < first + 500; seed++)
    n_fused += compare_with_brute_force (fused_run_init, 1 + seed % 9, seed);
  g_assert_cmpuint (n_fused, >, 250);
}

static void
test_twin_fused_middle (void)
{
  for (guint64 seed = 0; seed < 8; seed++)
    compare_with_brute_force (fused_run_init, 20 + seed * 3, 20000 + seed);
}

static void
test_twin_middle (void)
{
  for (guint64 seed = 0; seed < test_rounds (12); seed++)
    compare_with_brute_force (random_run_init, 30 + seed * 15 % 171, 10000 + seed);
}

/* A simulator that has run other plans answers as a new one does. */
static void
test_reuse (void)
{
  for (guint64 seed = 0; seed < 60; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autoptr (GobanSimulator) simulator = NULL;
      GobanRng rng;

      random_run_init (&run, 40, 500 + seed);
      goban_rng_init (&rng, seed);
      simulator = goban_simulator_new (run.costs);
      for (guint i = 0; i < 5; i++)
        {
          g_autoptr (GobanPlan) plan = random_plan (run.costs, &rng);
          g_autoptr (GobanTrace) trace = NULL;
          g_autoptr (GobanTrace) again = NULL;

          if (i % 2 == 1)
            fuse_at_random (plan, run.costs, &rng);
          trace = run_checked (run.costs, plan);
          assert_outcome (simulator, plan, trace);
          again = goban_simulator_run (simulator, plan);
          g_assert_cmpfloat (goban_trace_get_makespan (again), ==,
                             goban_trace_get_makespan (trace));
          assert_outcome (simulator, plan, trace);
        }
    }
}

/* All op times and all transfer times twice as long: everything happens twice as late. */
static void
test_doubling (void)
{
  static const char *const once
      = "{\"devices\": [{\"name\": \"d\", \"count\": 3, \"kind\": \"gpu\","
        " \"tflops\": 1, \"memory_bandwidth\": 1, \"memory\": 1000}],"
        " \"all_pairs\": {\"bandwidth\": 3e6, \"latency\": 1}}";
  static const char *const twice
      = "{\"devices\": [{\"name\": \"d\", \"count\": 3, \"kind\": \"gpu\","
        " \"tflops\": 1, \"memory_bandwidth\": 1, \"memory\": 1000}],"
        " \"all_pairs\": {\"bandwidth\": 1.5e6, \"latency\": 2}}";
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_json (once, -1, "once", NULL);
  g_autoptr (GobanCluster) slow_cluster = goban_cluster_new_from_json (twice, -1, "twice", NULL);

  for (guint64 seed = 0; seed < 100; seed++)
    {
      GraphGen gen = graph_gen_small (40);
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, seed);
      g_autoptr (GobanGraph) slow_graph
          = rebuild_graph (graph, &(Rebuild){ .time_factor = 2 }, NULL);
      g_autoptr (GobanCostModel) costs
          = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
      g_autoptr (GobanCostModel) slow
          = goban_cost_model_new (slow_graph, slow_cluster, GOBAN_EXECUTION_EVENTS);
      GobanRng rng;
      GobanRng same;
      g_autoptr (GobanPlan) plan = NULL;
      g_autoptr (GobanPlan) slow_plan = NULL;
      g_autoptr (GobanTrace) trace = NULL;
      g_autoptr (GobanTrace) slow_trace = NULL;

      goban_rng_init (&rng, seed);
      same = rng;
      plan = random_plan (costs, &rng);
      slow_plan = random_plan (slow, &same);
      trace = run_checked (costs, plan);
      slow_trace = run_checked (slow, slow_plan);
      g_assert_cmpfloat (goban_trace_get_makespan (slow_trace), ==,
                         2 * goban_trace_get_makespan (trace));
      for (guint v = 0; v < 40; v++)
        g_assert_cmpfloat (goban_trace_get_ops (slow_trace)[v].start_us, ==,
                           2 * goban_trace_get_ops (trace)[v].start_us);
    }
}

/* A random topological order: of the nodes whose producers are placed, any may be next. */
static guint32 *
shuffle_nodes (const GobanGraph *graph, GobanRng *rng)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint32 *order = g_new (guint32, n_nodes);
  g_autofree gboolean *is_placed = g_new0 (gboolean, n_nodes);

  for (guint i = 0; i < n_nodes;)
    {
      guint32 v = goban_rng_below (rng, n_nodes);
      GobanEdgeSpan inputs = goban_graph_get_in_edges (graph, v);
      gboolean is_free = !is_placed[v];

      for (guint k = 0; k < inputs.n && is_free; k++)
        is_free = is_placed[goban_graph_get_edge (graph, inputs.ids[k])->tail];
      if (!is_free)
        continue;
      is_placed[v] = TRUE;
      order[i++] = v;
    }
  return order;
}

/* With priorities of their own, nodes run as before whatever their numbers. Transfers of one
 * priority would go by number; each tensor here has one consumer with that priority. */
static void
test_renumbering (void)
{
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x4", NULL);

  for (guint64 seed = 0; seed < 100; seed++)
    {
      GraphGen gen = graph_gen_small (30);
      GobanRng rng;
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanGraph) other = NULL;
      g_autofree guint32 *shuffle = NULL;
      g_autofree GobanNodeId *ids = NULL;
      g_autoptr (GobanCostModel) costs = NULL;
      g_autoptr (GobanCostModel) other_costs = NULL;
      g_autoptr (GobanPlan) plan = NULL;
      g_autoptr (GobanPlan) other_plan = NULL;
      g_autoptr (GobanTrace) trace = NULL;
      g_autoptr (GobanTrace) other_trace = NULL;
      g_autofree guint32 *priority = g_new (guint32, 30);

      gen.max_tensors = 1;
      gen.control_share = 0;
      goban_rng_init (&rng, seed);
      graph = graph_gen_new (&gen, seed);
      shuffle = shuffle_nodes (graph, &rng);
      other = rebuild_graph (graph, &(Rebuild){ .shuffle = shuffle }, &ids);
      costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_CONTENTION_FREE);
      other_costs = goban_cost_model_new (other, cluster, GOBAN_EXECUTION_CONTENTION_FREE);
      plan = random_plan (costs, &rng);
      goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
      other_plan = goban_plan_new (other, 4);
      goban_plan_set_order (other_plan, GOBAN_ORDER_PRIORITY);
      for (guint v = 0; v < 30; v++)
        priority[v] = v;
      goban_rng_shuffle (&rng, priority, 30);
      for (guint v = 0; v < 30; v++)
        {
          goban_plan_set_priority (plan, v, (gint32) priority[v]);
          goban_plan_set_priority (other_plan, ids[v], (gint32) priority[v]);
          goban_plan_set_device (other_plan, ids[v], goban_plan_get_device (plan, v));
        }
      trace = run_checked (costs, plan);
      other_trace = run_checked (other_costs, other_plan);
      for (guint v = 0; v < 30; v++)
        g_assert_cmpfloat (goban_trace_get_ops (trace)[v].start_us, ==,
                           goban_trace_get_ops (other_trace)[ids[v]].start_us);
    }
}

/* A plan that puts a node where it cannot run, or splits a group, says so and does not run. */
static void
test_refused_plan (void)
{
  g_auto (RandomRun) run = { NULL };
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanTrace) trace = NULL;
  guint n;

  random_run_init (&run, 6, 3);
  plan = goban_plan_new (run.graph, goban_cluster_get_n_devices (run.cluster) + 1);
  trace = run_checked (run.costs, plan);
  g_assert_false (goban_trace_is_valid (trace));
  g_assert_cmpstr (goban_trace_get_why (trace), !=, "");
  g_assert_true (isinf (goban_trace_get_makespan (trace)));
  g_assert_null (goban_trace_get_ops (trace));
  goban_trace_get_transfers (trace, &n);
  g_assert_cmpuint (n, ==, 0);
  goban_trace_get_critical_path (trace, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_null (goban_trace_get_memory (trace, 0, &n));
}

/* Many devices, so that the clock's tree and the sets of devices have several words. */
static void
test_many_devices (void)
{
  static const char *const specs[] = { "equal:200,bandwidth=1e6,latency=1us", "p100x8" };
  GraphGen gen = graph_gen_small (3000);
  g_autoptr (GobanGraph) graph = NULL;

  gen.width = 300;
  gen.group_share = 0;
  graph = graph_gen_new (&gen, 4);
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (specs[i / 2], &error);
      g_autoptr (GobanCostModel) costs = NULL;
      g_autoptr (GobanPlan) plan = NULL;
      g_autoptr (GobanTrace) trace = NULL;
      GobanRng rng;

      g_assert_no_error (error);
      if (i == 1)
        {
          /* The same with contention. */
          g_autofree char *json = goban_cluster_to_json (cluster);
          g_auto (GStrv) parts = g_strsplit (json, "\"contention_free\": true", 2);
          g_autofree char *contended = g_strjoinv ("\"contention_free\": false", parts);

          g_clear_pointer (&cluster, goban_cluster_unref);
          cluster = goban_cluster_new_from_json (contended, -1, "contended", &error);
          g_assert_no_error (error);
        }
      costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
      goban_rng_init (&rng, i);
      plan = random_plan (costs, &rng);
      trace = run_checked (costs, plan);
      g_assert_true (goban_trace_is_valid (trace));
    }
}

static void
test_one_node (void)
{
  GraphGen gen = graph_gen_small (1);
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 1);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("equal:2", NULL);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GobanTrace) trace = run_checked (costs, plan);

  g_assert_cmpfloat (goban_trace_get_makespan (trace), ==, goban_cost_model_time_us (costs, 0, 0));
}

static void
test_no_nodes (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("nothing", "test");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_builder_finish (builder, NULL, &error);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x2", NULL);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanTrace) trace = NULL;
  g_autofree char *json = NULL;

  g_assert_no_error (error);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  plan = goban_plan_new (graph, 2);
  trace = run_checked (costs, plan);
  g_assert_true (goban_trace_is_valid (trace));
  g_assert_cmpfloat (goban_trace_get_makespan (trace), ==, 0);
  json = goban_trace_to_json (trace, NULL);
  g_assert_nonnull (json);
}

TEST_PROGRAM (simulator)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *path = g_strdup_printf ("/sim/simulator/twin-small/%u", i);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_twin_small);
    }
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *path = g_strdup_printf ("/sim/simulator/twin-fused/%u", i);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_twin_fused);
    }
  g_test_add_func ("/sim/simulator/twin-middle", test_twin_middle);
  g_test_add_func ("/sim/simulator/twin-fused-middle", test_twin_fused_middle);
  g_test_add_func ("/sim/simulator/reuse", test_reuse);
  g_test_add_func ("/sim/simulator/doubling", test_doubling);
  g_test_add_func ("/sim/simulator/renumbering", test_renumbering);
  g_test_add_func ("/sim/simulator/refused-plan", test_refused_plan);
  g_test_add_func ("/sim/simulator/many-devices", test_many_devices);
  g_test_add_func ("/sim/simulator/one-node", test_one_node);
  g_test_add_func ("/sim/simulator/no-nodes", test_no_nodes);
  return g_test_run ();
}
