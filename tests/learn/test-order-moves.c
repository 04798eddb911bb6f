/* test-order-moves.c: what waits goes before what it waits for, by exactly what that gains, unless
 * that would be late. */
#include "engine/learn/rl/moves/joint-moves.h"

#include "engine/graph/graph-builder.h"
#include "engine/graph/workloads/workload.h"
#include "engine/sim/simulator.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

typedef struct
{
  GobanCostModel *costs;
  GobanUnits *units;
  GobanPlanProfile *profile;
  GobanOrderMoves *moves;
  GobanPlan *plan;
  GobanTrace *trace;
} Case;

/* Reads the run of @plan (transfer full); keys are what its priorities say. */
static Case
case_new (GobanCostModel *costs, GobanPlan *plan)
{
  g_autoptr (GError) error = NULL;
  Case self = { .costs = goban_cost_model_ref (costs), .plan = plan };
  guint n = goban_plan_get_n_nodes (plan);
  g_autofree double *keys = g_new (double, n + 1);

  self.units = goban_units_new (costs, &error);
  g_assert_no_error (error);
  self.profile = goban_plan_profile_new (self.units);
  self.moves = goban_order_moves_new (self.profile);
  self.trace = goban_simulate (costs, plan);
  goban_plan_profile_read (self.profile, self.trace);
  for (guint v = 0; v < n; v++)
    keys[v] = goban_plan_get_priority (plan, v);
  goban_order_moves_read (self.moves, self.trace,
                          goban_plan_get_order (plan) == GOBAN_ORDER_FIFO ? NULL : keys);
  return self;
}

static void
case_clear (Case *self)
{
  goban_order_moves_free (self->moves);
  goban_plan_profile_free (self->profile);
  goban_units_free (self->units);
  goban_trace_unref (self->trace);
  goban_plan_unref (self->plan);
  goban_cost_model_unref (self->costs);
}

/* The makespan after a move. */
static double
try_move (const Case *self, const GobanScoredMove *move)
{
  g_autoptr (GobanPlan) plan = goban_plan_copy (self->plan);
  g_autofree double *keys
      = g_memdup2 (self->moves->keys, goban_plan_get_n_nodes (plan) * sizeof (double));
  g_autoptr (GobanTrace) trace = NULL;

  for (guint i = 0; i < move->n; i++)
    {
      const GobanKeyShift *shift
          = &g_array_index (self->moves->shifts, GobanKeyShift, move->first + i);

      keys[shift->node] += shift->by;
    }
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  goban_plan_set_priorities_by_key (plan, keys);
  trace = goban_simulate (self->costs, plan);
  return goban_trace_get_makespan (trace);
}

static GobanNodeId
add_op (GobanGraphBuilder *builder, const char *name, double time_us)
{
  GobanNodeId node = goban_graph_builder_add_node (builder, name, "Op");

  goban_graph_builder_set_time (builder, node, GOBAN_ANY_KIND, time_us, GOBAN_SOURCE_GIVEN);
  return node;
}

/* Device 0 has two ops at the start: a short one that device 1 waits for, and a long one without
 * waiting readers. The long one has the lower id, so it goes first: 100 + 10 + 80. The other way
 * round: 10 + 80 or 10 + 100. */
static GobanPlan *
new_blocked (GobanCostModel **costs)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("blocked", "test");
  GobanNodeId blocker = add_op (builder, "blocker", 100);
  GobanNodeId urgent = add_op (builder, "urgent", 10);
  GobanNodeId reader = add_op (builder, "reader", 80);
  GobanTensorId tensor = goban_graph_builder_add_tensor (builder, urgent, 0);
  g_autoptr (GobanGraph) graph = NULL;
  GobanPlan *plan;

  (void) blocker;
  goban_graph_builder_add_edge (builder, tensor, reader);
  graph = toy_finish (builder);
  *costs = toy_costs (graph, "equal:2");
  plan = goban_plan_new (graph, 2);
  goban_plan_set_device (plan, reader, 1);
  return plan;
}

static void
test_blocked (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GobanCostModel) costs = NULL;
      GobanPlan *plan = new_blocked (&costs);
      Case self;
      const GobanScoredMove *move;

      if (i == 1)
        goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
      self = case_new (costs, plan);
      g_assert_cmpfloat (goban_trace_get_makespan (self.trace), ==, 190);
      move = goban_scored_moves_choose (self.moves->moves);
      g_assert_nonnull (move);
      /* It waits for 100 of 190 us; the blocker has slack. */
      g_assert_cmpfloat_with_epsilon (move->score, 100.0 / 190, 1e-6);
      g_assert_cmpfloat (try_move (&self, move), ==, 110);
      case_clear (&self);
    }
}

/* No move if no wait can be saved. */
static void
test_none (void)
{
  g_autoptr (GobanGraph) graph = toy_chain ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:1");
  Case self = case_new (costs, goban_plan_new (graph, 1));

  g_assert_null (goban_scored_moves_choose (self.moves->moves));
  case_clear (&self);
}

/* Every move is offered once, the best first, and shifts no key for nothing. */
static void
test_list (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate ("synthetic:seed=78,nodes=400", &error);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "v100x2");
  g_autoptr (GobanUnits) units = NULL;
  GobanPlan *plan = goban_plan_new (graph, 2);
  Case self;
  const GobanScoredMove *move;
  double last = INFINITY;
  guint n = 0;

  units = goban_units_new (costs, &error);
  g_assert_no_error (error);
  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    goban_plan_set_device (plan, v, (GobanDeviceId) (units->unit_of[v] % 7 < 3));
  self = case_new (costs, plan);
  for (; (move = goban_scored_moves_choose (self.moves->moves)) != NULL; n++)
    {
      g_assert_cmpfloat (move->score, <=, last);
      last = move->score;
      g_assert_cmpuint (move->n, >, 0);
      for (guint i = 0; i < move->n; i++)
        g_assert_cmpfloat (g_array_index (self.moves->shifts, GobanKeyShift, move->first + i).by,
                           !=, 0);
    }
  g_assert_cmpuint (n, ==, self.moves->moves->len);
  g_assert_cmpuint (n, >, 20);
  case_clear (&self);
}

/* Latest starts by hand: of 190 us the reader takes the last 80, the urgent op the 10 before, the
 * blocker the last 100. */
static void
test_latest (void)
{
  g_autoptr (GobanCostModel) costs = NULL;
  GobanPlan *plan = new_blocked (&costs);
  Case self = case_new (costs, plan);
  double keys[3];

  goban_order_moves_fill_latest (self.moves, keys);
  g_assert_cmpfloat (keys[0], ==, -90);
  g_assert_cmpfloat (keys[1], ==, -100);
  g_assert_cmpfloat (keys[2], ==, -110);
  case_clear (&self);
}

TEST_PROGRAM (order_moves)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/order-moves/blocked", test_blocked);
  g_test_add_func ("/rl/order-moves/none", test_none);
  g_test_add_func ("/rl/order-moves/list", test_list);
  g_test_add_func ("/rl/order-moves/latest", test_latest);
  return g_test_run ();
}
