#include "engine/placers/policies.h"
#include "engine/sim/simulator.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

static const char *const specs[] = {
  "equal:2,bandwidth=4e6", "equal:3,bandwidth=4e6", "equal:4,bandwidth=4e6", "p100x2", "p100x4",
};

/* Transfers wait for channels. */
#define CHANNELS_3                                                                                 \
  "{ \"devices\": ["                                                                               \
  "{ \"name\": \"a\", \"kind\": \"gpu\", \"tflops\": 1, \"memory_bandwidth\": \"1 GB/s\","         \
  "  \"memory\": \"unlimited\", \"count\": 3 } ],"                                                 \
  "\"all_pairs\": { \"bandwidth\": 4e6 } }"

static GobanCostModel *
new_costs (guint64 seed, guint n_nodes, guint n_most_devices)
{
  const char *spec = specs[seed % G_N_ELEMENTS (specs)];

  if (n_most_devices < 4 && g_str_has_suffix (spec, "4"))
    spec = "p100x2";
  if (n_most_devices < 3)
    spec = seed % 2 == 0 ? "p100x2" : "equal:2,bandwidth=4e6";
  return toy_small_costs (n_nodes, seed, spec);
}

static GobanPlan *
search (GobanCostModel *costs, guint64 seed, guint64 n_evaluations, GobanOutcome *outcome)
{
  GobanPlacerOptions options = { .seed = seed, .max_evaluations = n_evaluations };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  GobanPlan *plan = goban_placer_place (&goban_placer_local_search, costs, &options, NULL, &error);

  g_assert_no_error (error);
  *outcome = goban_simulator_evaluate (simulator, plan);
  return plan;
}

/* --- the exhaustive twin --------------------------------------------------------------- */

typedef struct
{
  GobanSimulator *simulator;
  GobanPlan *plan;
  guint n_nodes;
  double best_us;
} Exhaustive;

/* All orders of the nodes, by exchanging the one at @first with each behind it. */
static void
try_orders (Exhaustive *self, guint32 *order, guint first)
{
  if (first == self->n_nodes)
    {
      GobanOutcome outcome;

      for (guint i = 0; i < self->n_nodes; i++)
        goban_plan_set_priority (self->plan, order[i], (gint32) i);
      outcome = goban_simulator_evaluate (self->simulator, self->plan);
      if (outcome.overflow_bytes == 0)
        self->best_us = MIN (self->best_us, outcome.makespan_us);
      return;
    }
  for (guint i = first; i < self->n_nodes; i++)
    {
      guint32 swap = order[first];

      order[first] = order[i];
      order[i] = swap;
      try_orders (self, order, first + 1);
      order[i] = order[first];
      order[first] = swap;
    }
}

static double
find_optimum_us (GobanCostModel *costs)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, n_devices);
  Exhaustive all = { simulator, plan, goban_graph_get_n_nodes (graph), INFINITY };
  guint64 n_placements = 1;
  guint32 order[8];

  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  for (guint v = 0; v < all.n_nodes; v++)
    n_placements *= n_devices;
  for (guint64 i = 0; i < n_placements; i++)
    {
      guint64 rest = i;

      for (guint v = 0; v < all.n_nodes; v++)
        {
          goban_plan_set_device (plan, v, (GobanDeviceId) (rest % n_devices));
          order[v] = v;
          rest /= n_devices;
        }
      if (goban_plan_check (plan, costs, NULL)) /* a group apart is no plan */
        try_orders (&all, order, 0);
    }
  return all.best_us;
}

/* Five nodes on up to three devices, six on two: all placements in all orders. FIFO is not among
 * them, and may be better than all of them; the search does not look for that. */
static void
test_finds_exhaustive_optimum (void)
{
  for (guint i = 0; i < 16; i++)
    {
      guint n_nodes = i % 4 == 3 ? 6 : 5;
      g_autoptr (GobanCostModel) costs = new_costs (i, n_nodes, n_nodes == 6 ? 2 : 3);
      GobanOutcome outcome;
      g_autoptr (GobanPlan) plan = search (costs, 1, 0, &outcome);

      g_assert_cmpfloat (outcome.overflow_bytes, ==, 0);
      g_assert_cmpfloat (outcome.makespan_us, <=, find_optimum_us (costs) * (1 + 1e-12));
    }
}
/* --- ten nodes ------------------------------------------------------------------------- */

static const char *const ten_specs[] = {
  "equal:2,bandwidth=4e6",
  "equal:3,bandwidth=4e6,latency=1e-6",
  "equal:4,bandwidth=4e6",
  CHANNELS_3,
};

static GobanCostModel *
new_ten (guint i)
{
  GraphGen gen = graph_gen_ten ();
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, i);

  return toy_costs (graph, ten_specs[i % G_N_ELEMENTS (ten_specs)]);
}

#define N_TENS 100

/* What `exact` has proven to be the best there is. */
static double
prove_optimum_us (GobanCostModel *costs)
{
  g_autoptr (GobanPlan) plan = toy_place (costs, "exact", 1);
  g_autoptr (GobanTrace) trace = goban_simulate (costs, plan);

  g_assert_cmpfloat (goban_trace_get_makespan (trace), ==,
                     goban_plan_get_proven_bound_us (plan, costs));
  return goban_plan_get_proven_bound_us (plan, costs);
}

static void
test_finds_optimum_of_ten (void)
{
  guint n_found = 0;

  for (guint i = 0; i < N_TENS; i++)
    {
      g_autoptr (GobanCostModel) costs = new_ten (i);
      double optimum_us = prove_optimum_us (costs);
      GobanOutcome outcome;
      g_autoptr (GobanPlan) plan = search (costs, 1, 0, &outcome);

      n_found += outcome.makespan_us <= optimum_us * (1 + 1e-12);
      g_assert_cmpfloat (outcome.makespan_us, >=, optimum_us * (1 - 1e-12));
      g_assert_cmpfloat (outcome.makespan_us, <, optimum_us * 1.05);
    }
  g_test_message ("%u of %u optima found", n_found, N_TENS);
  g_assert_cmpuint (n_found, >=, N_TENS * 95 / 100);
}

/* --- large graphs ---------------------------------------------------------------------- */

/* Layers down, steps across, as in an unrolled recurrent network: it climbs well beyond HEFT. */
static void
test_climbs (void)
{
  GraphGen gen = { .n_nodes = 600,
                   .edges_per_node = 1.5,
                   .width = 40,
                   .max_time_us = 100,
                   .max_bytes = 1500,
                   .max_tensors = 1 };
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 1);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, CHANNELS_3);
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  g_autoptr (GobanPlan) heft = toy_place (costs, "heft", 0);
  GobanOutcome of_heft = goban_simulator_evaluate (simulator, heft);
  GobanOutcome found;
  g_autoptr (GobanPlan) plan = search (costs, 1, 3000, &found);

  g_assert_cmpfloat (found.makespan_us, <, 0.95 * of_heft.makespan_us);
}

TEST_PROGRAM (local_search)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/local-search/finds-exhaustive-optimum", test_finds_exhaustive_optimum);
  g_test_add_func ("/local-search/finds-optimum-of-ten", test_finds_optimum_of_ten);
  g_test_add_func ("/local-search/climbs", test_climbs);
  return g_test_run ();
}
