#include "engine/core/rng.h"
#include "engine/graph/graph-builder.h"
#include "engine/learn/roster.h"
#include "engine/placers/exact/exact-orders.h"
#include "engine/placers/exact/exact-problem.h"
#include "engine/sim/simulator.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/run/run.h"
#include "tests/sim/random-run.h"
#include "tests/support/graph-gen.h"
#include "tests/support/rounds.h"
#include "tests/support/stg.h"
#include "tests/support/test-program.h"
#include "tests/support/trace-check.h"

#include <math.h>

/* --- the twin: every plan there is ------------------------------------------------------- */

typedef struct
{
  GobanCostModel *costs;
  const GobanUnits *units;
  GobanSimulator *simulator;
  GobanPlan *plan;
  guint n_nodes;
  gint32 *order; /* (n_nodes) */
  GArray *sent;  /* of GobanTensorId */
  gint32 *transfers;
  double best_us; /* of the valid, INFINITY without one */
  guint64 n_plans;
} All;

static void
try_plan (All *self)
{
  GobanOutcome outcome = goban_simulator_evaluate (self->simulator, self->plan);

  self->n_plans++;
  if (outcome.overflow_bytes <= 0)
    self->best_us = MIN (self->best_us, outcome.makespan_us);
}

/* All orders of the tensors that are sent. */
static void
permute_tensors (All *self, guint i)
{
  if (i == self->sent->len)
    {
      goban_plan_set_transfer_priorities (self->plan, self->transfers);
      try_plan (self);
      goban_plan_set_transfer_priorities (self->plan, NULL);
      return;
    }
  for (guint rank = 0; rank < self->sent->len; rank++)
    {
      gboolean is_taken = FALSE;

      for (guint j = 0; j < i; j++)
        is_taken |= self->transfers[g_array_index (self->sent, GobanTensorId, j)] == (gint32) rank;
      if (is_taken)
        continue;
      self->transfers[g_array_index (self->sent, GobanTensorId, i)] = (gint32) rank;
      permute_tensors (self, i + 1);
    }
}

static void
permute_nodes (All *self, guint i, guint32 used)
{
  if (i == self->n_nodes)
    {
      goban_plan_set_order (self->plan, GOBAN_ORDER_PRIORITY);
      try_plan (self);
      if (self->sent->len > 1)
        permute_tensors (self, 0);
      return;
    }
  for (guint v = 0; v < self->n_nodes; v++)
    if (!(used >> v & 1))
      {
        goban_plan_set_priority (self->plan, v, (gint32) (self->n_nodes - i));
        permute_nodes (self, i + 1, used | 1u << v);
      }
}

static void
list_sent (All *self)
{
  GobanGraph *graph = goban_cost_model_get_graph (self->costs);

  g_array_set_size (self->sent, 0);
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    {
      GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, t);
      GobanNodeId producer = goban_graph_get_tensor (graph, t)->producer;
      gboolean is_sent = FALSE;

      for (guint i = 0; i < edges.n; i++)
        is_sent
            |= goban_plan_get_device (self->plan, goban_graph_get_edge (graph, edges.ids[i])->head)
               != goban_plan_get_device (self->plan, producer);
      if (is_sent)
        g_array_append_val (self->sent, t);
    }
  if (goban_cost_model_is_contention_free (self->costs))
    g_array_set_size (self->sent, 0);
}

static void
place_units (All *self, guint u)
{
  if (u == self->units->n_units)
    {
      list_sent (self);
      goban_plan_set_order (self->plan, GOBAN_ORDER_FIFO);
      try_plan (self);
      permute_nodes (self, 0, 0);
      return;
    }
  for (guint d = 0; d < self->units->n_devices; d++)
    if (goban_units_can_run (self->units, u, d))
      {
        for (guint i = self->units->offsets[u]; i < self->units->offsets[u + 1]; i++)
          goban_plan_set_device (self->plan, self->units->nodes[i], d);
        place_units (self, u + 1);
      }
}

static double
find_optimum (GobanCostModel *costs, const GobanUnits *units)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, units->n_devices);
  g_autofree gint32 *transfers = g_new0 (gint32, goban_graph_get_n_tensors (graph));
  All all = { .costs = costs,
              .units = units,
              .simulator = simulator,
              .plan = plan,
              .n_nodes = goban_graph_get_n_nodes (graph),
              .sent = g_array_new (FALSE, FALSE, sizeof (GobanTensorId)),
              .transfers = transfers,
              .best_us = (double) INFINITY };

  place_units (&all, 0);
  g_array_unref (all.sent);
  return all.best_us;
}

/* --- orders ------------------------------------------------------------------------------ */

static guint
highest_in (guint64 set, const guint8 *rank)
{
  guint best = __builtin_ctzll (set);

  for (; set != 0; set &= set - 1)
    if (rank[__builtin_ctzll (set)] < rank[best])
      best = __builtin_ctzll (set);
  return best;
}

static gboolean
meets_all (const ExactOrder *orders, guint n_orders, const guint8 *rank)
{
  for (guint i = 0; i < n_orders; i++)
    {
      guint above = highest_in (orders[i].above, rank);
      guint below = highest_in (orders[i].below, rank);

      if (rank[above] > rank[below] || (above == below && orders[i].is_strict))
        return FALSE;
    }
  return TRUE;
}

static gboolean
some_list_meets_all (const ExactOrder *orders, guint n_orders, guint n, guint8 *rank, guint i)
{
  if (i == n)
    return meets_all (orders, n_orders, rank);
  for (guint8 r = 0; r < n; r++)
    {
      gboolean is_taken = FALSE;

      for (guint j = 0; j < i; j++)
        is_taken |= rank[j] == r;
      rank[i] = r;
      if (!is_taken && some_list_meets_all (orders, n_orders, n, rank, i + 1))
        return TRUE;
    }
  return FALSE;
}

static void
test_orders (void)
{
  guint n_solved = 0;

  for (guint seed = 0; seed < 2000; seed++)
    {
      ExactOrder orders[6];
      guint8 rank[5], tried[5];
      GobanRng rng;
      guint n_orders;

      goban_rng_init (&rng, seed);
      n_orders = 1 + goban_rng_below (&rng, 6);
      for (guint i = 0; i < n_orders; i++)
        orders[i] = (ExactOrder){ .above = 1 + goban_rng_below (&rng, 31),
                                  .below = 1 + goban_rng_below (&rng, 31),
                                  .is_strict = goban_rng_below (&rng, 2) != 0 };
      if (some_list_meets_all (orders, n_orders, 5, tried, 0))
        {
          g_assert_true (exact_orders_solve (orders, n_orders, 5, NULL));
          g_assert_true (exact_orders_solve (orders, n_orders, 5, rank));
          g_assert_true (meets_all (orders, n_orders, rank));
          n_solved++;
        }
      else
        g_assert_false (exact_orders_solve (orders, n_orders, 5, NULL));
    }
  g_assert_cmpuint (n_solved, >, 200);
  g_assert_cmpuint (n_solved, <, 1800);
}

/* --- exact against the twin -------------------------------------------------------------- */

static GobanPlan *
place_exactly (GobanCostModel *costs, guint64 max_evaluations, GobanOutcome *outcome)
{
  GobanPlacerOptions options = { .seed = 1, .max_evaluations = max_evaluations };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  g_autoptr (GobanTrace) trace = NULL;
  GobanPlan *plan
      = goban_placer_place (goban_roster_find ("exact", NULL), costs, &options, NULL, &error);

  g_assert_no_error (error);
  *outcome = goban_simulator_evaluate (simulator, plan);
  trace = goban_simulator_run (simulator, plan);
  goban_trace_check (trace, &error);
  g_assert_no_error (error);
  return plan;
}

static void
check_against_twin (guint n_nodes, guint n_devices, guint64 seed)
{
  g_auto (RandomRun) run = { NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanUnits) units = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  GobanOutcome outcome;
  double optimum_us;
  gdouble bound_us;

  do
    {
      random_run_clear (&run);
      random_run_init (&run, n_nodes, seed);
      seed += 1000003;
    }
  while (goban_cluster_get_n_devices (run.cluster) != n_devices);
  units = goban_units_new (run.costs, &error);
  g_assert_no_error (error);
  optimum_us = find_optimum (run.costs, units);
  plan = place_exactly (run.costs, 0, &outcome);
  bound_us = goban_plan_get_proven_bound_us (plan, run.costs);
  if (isinf (optimum_us))
    {
      g_assert_cmpfloat (outcome.overflow_bytes, >, 0);
      g_assert_true (isinf (bound_us));
      return;
    }
  g_assert_cmpfloat (outcome.overflow_bytes, ==, 0);
  g_assert_cmpfloat (outcome.makespan_us, ==, optimum_us);
  g_assert_cmpfloat (bound_us, ==, optimum_us);

  /* With little, so that the first plans leave it something to find. */
  g_clear_pointer (&plan, goban_plan_unref);
  plan = place_exactly (run.costs, 120, &outcome);
  g_assert_cmpfloat (goban_plan_get_proven_bound_us (plan, run.costs), <=, optimum_us);
  if (outcome.overflow_bytes <= 0 && outcome.makespan_us > optimum_us)
    g_assert_cmpfloat (goban_plan_get_proven_bound_us (plan, run.costs), <, outcome.makespan_us);
}

static void
test_twin (void)
{
  guint n = g_test_slow () ? 200 : 40;

  for (guint i = 0; i < n; i++)
    {
      check_against_twin (1 + i % 5, 2, i);
      check_against_twin (1 + i % 4, 3, i);
      check_against_twin (1 + i % 3, 4, i);
    }
}

static void
test_twin_of_six (void)
{
  for (guint i = 0; i < 60; i++)
    {
      check_against_twin (6, 2, 777 + i);
      check_against_twin (5, 3, 777 + i);
    }
}

/* --- exact against its peers ------------------------------------------------------------- */

static void
test_never_beaten (void)
{
  guint n_graphs = g_test_slow () ? 100 : test_rounds (12);
  gsize n_placers;
  const GobanPlacer *const *placers = goban_roster (&n_placers);

  for (guint i = 0; i < n_graphs; i++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autoptr (GobanSimulator) simulator = NULL;
      g_autoptr (GobanPlan) best = NULL;
      GobanOutcome outcome;

      random_run_init (&run, 10, 31 * i + 7);
      simulator = goban_simulator_new (run.costs);
      best = place_exactly (run.costs, 0, &outcome);
      if (outcome.overflow_bytes <= 0)
        g_assert_cmpfloat (outcome.makespan_us, ==,
                           goban_plan_get_proven_bound_us (best, run.costs));
      for (gsize p = 0; p < n_placers; p++)
        {
          GobanPlacerOptions options = { .seed = i, .max_evaluations = 300 };
          g_autoptr (GError) error = NULL;
          g_autoptr (GobanPlan) plan
              = goban_placer_place (placers[p], run.costs, &options, NULL, &error);
          GobanOutcome rival;

          g_assert_no_error (error);
          rival = goban_simulator_evaluate (simulator, plan);
          if (rival.overflow_bytes <= 0)
            g_assert_cmpfloat (rival.makespan_us, >=, outcome.makespan_us * (1 - 1e-9));
        }
    }
}

static void
check_budgets (GobanCostModel *costs)
{
  const GobanPlacer *exact = goban_roster_find ("exact", NULL);

  for (guint64 budget = 3; budget < 40; budget++)
    {
      GobanPlacerOptions options = { .seed = 1, .max_evaluations = budget };
      guint64 n_spent = 0;
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanPlan) plan = goban_placer_place (exact, costs, &options, &n_spent, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (n_spent, <=, budget);
    }
}

/* Whatever the budget ends in the middle of: a branch, a leaf, or, as with the last seed, the leaf
 * after a leaf. */
static void
test_budget (void)
{
  for (guint i = 0; i <= 60; i += TEST_IS_SANITIZED ? 5 : 1)
    {
      g_auto (RandomRun) run = { NULL };

      random_run_init (&run, 2 + (15 * i) % 11, 17 * (15 * i) + 3);
      check_budgets (run.costs);
    }
}

/* Published optima, without communication: fifty tasks are too many to prove all of them in a short
 * while, but no plan may be shorter, and no bound higher. */
static void
test_stg (void)
{
  g_autoptr (GPtrArray) cases = stg_cases_new (FALSE);

  for (guint i = 0; cases != NULL && i < cases->len; i++)
    {
      const StgCase *one = cases->pdata[i];
      GobanOutcome outcome;
      g_autoptr (GobanPlan) plan = place_exactly (one->costs, 600, &outcome);
      double bound_us = goban_plan_get_proven_bound_us (plan, one->costs);

      g_assert_cmpfloat (outcome.makespan_us, >=, one->least_us);
      g_assert_cmpfloat (bound_us, <=, one->most_us);
      g_assert_cmpfloat (bound_us, <=, outcome.makespan_us);
      g_assert_cmpfloat (bound_us, >=, 0.8 * one->least_us);
      g_test_message ("%s: %g us, proven %g", one->name, outcome.makespan_us, bound_us);
    }
}

/* a runs “long” (2 us) and “then” (1 us), b runs “first” (1 us) and “last” (43 us); first -> then
 * -> last.
 *
 *   non-delay   a: long long then             waiting   a: -    then long long b: first     -
 *   last  46              b: first -    last      45
 *
 * The simulator starts “long” at once, since a has nothing else to do: no plan is shorter than
 * 46. */
static GobanCostModel *
new_waiting (void)
{
  static const struct
  {
    const char *name;
    const char *kind, *other;
    double time_us;
  } ops[] = { { "long", "a", "b", 2 },
              { "first", "b", "a", 1 },
              { "then", "a", "b", 1 },
              { "last", "b", "a", 43 } };
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("waiting", "test");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("devices:a,b", &error);

  g_assert_no_error (error);
  for (guint v = 0; v < G_N_ELEMENTS (ops); v++)
    {
      goban_graph_builder_add_node (builder, ops[v].name, "Task");
      goban_graph_builder_set_time (builder, v, ops[v].kind, ops[v].time_us, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_set_time (builder, v, ops[v].other, INFINITY, GOBAN_SOURCE_GIVEN);
    }
  goban_graph_builder_add_control_edge (builder, 1, 2);
  goban_graph_builder_add_control_edge (builder, 2, 3);
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
}

static void
test_waiting (void)
{
  /* The waiting schedule, by id: long, first, then, last. */
  static const double starts_us[] = { 2, 0, 1, 2 };
  static const guint devices[] = { 0, 1, 0, 1 };
  g_autoptr (GobanCostModel) costs = new_waiting ();
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  GobanOutcome outcome;
  g_autoptr (GobanPlan) plan = place_exactly (costs, 0, &outcome);
  g_autoptr (GobanRun) run = goban_run_new (costs, plan, NULL);
  g_autofree char *proof = goban_run_describe_proof (run);
  double end_us = 0;

  for (GobanNodeId v = 0; v < 4; v++)
    {
      double finish_us = starts_us[v] + goban_cost_model_time_us (costs, v, devices[v]);

      for (GobanNodeId w = 0; w < 4; w++)
        if (w != v && devices[w] == devices[v])
          g_assert_true (starts_us[w] >= finish_us
                         || starts_us[w] + goban_cost_model_time_us (costs, w, devices[w])
                                <= starts_us[v]);
      for (guint i = 0; i < goban_graph_get_out_edges (graph, v).n; i++)
        g_assert_cmpfloat (
            starts_us[goban_graph_get_edge (graph, goban_graph_get_out_edges (graph, v).ids[i])
                          ->head],
            >=, finish_us);
      end_us = MAX (end_us, finish_us);
    }
  g_assert_cmpfloat (end_us, ==, 45);

  g_assert_cmpfloat (goban_bounds (costs).bound_us, <=, 45);
  g_assert_cmpfloat (outcome.makespan_us, ==, 46);
  g_assert_cmpfloat (goban_plan_get_proven_bound_us (plan, costs), ==, 46);
  g_assert_cmpstr (proof, ==, "optimal among non-delay schedules (proven)");
}

/* Twelve nodes on four devices, as the issue asks. */
static void
test_twelve_on_four (void)
{
  for (guint i = 0; i < 20; i++)
    {
      GraphGen gen = graph_gen_small (12);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x4", &error);
      g_autoptr (GobanCostModel) costs = NULL;
      g_autoptr (GobanPlan) plan = NULL;
      GobanOutcome outcome;

      gen.max_time_us = 90;
      gen.max_bytes = 1e6;
      gen.edges_per_node = 1.2;
      graph = graph_gen_new (&gen, i);
      costs = goban_cost_model_new (graph, cluster, i % 2);
      plan = place_exactly (costs, 0, &outcome);
      g_assert_cmpfloat (goban_plan_get_proven_bound_us (plan, costs), ==, outcome.makespan_us);
    }
}

TEST_PROGRAM (exact)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/placers/exact/orders-fit-one-list", test_orders);
  g_test_add_func ("/placers/exact/finds-what-trying-all-finds", test_twin);
  if (g_test_slow ())
    g_test_add_func ("/placers/exact/finds-what-trying-all-finds-of-six", test_twin_of_six);
  g_test_add_func ("/placers/exact/is-never-beaten", test_never_beaten);
  g_test_add_func ("/placers/exact/keeps-to-its-budget", test_budget);
  g_test_add_func ("/placers/exact/keeps-to-published-optima", test_stg);
  g_test_add_func ("/placers/exact/proves-non-delay-schedules", test_waiting);
  g_test_add_func ("/placers/exact/twelve-on-four", test_twelve_on_four);
  return g_test_run ();
}
