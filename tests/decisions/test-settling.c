/* Settled plans: their memory, the plans between them, and writers that compare with a record. */
#include "engine/decisions/decisions-parts.h"
#include "engine/decisions/decisions-writer.h"
#include "engine/decisions/replay.h"

#include "engine/core/error.h"
#include "engine/sim/simulator.h"
#include "tests/support/decisions-check.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

#define LENGTH 8
#define N_NODES (2 * LENGTH)
#define N_DEVICES 4
#define N_SETTLED 10

static GobanCostModel *
new_costs (void)
{
  return toy_costs (toy_two_chains (LENGTH), "p100x4");
}

static GobanDecisionsWriter *
new_writer (guint n_nodes, gsize max_bytes)
{
  return goban_decisions_writer_new (&(GobanDecisionsOptions){
      .n_nodes = n_nodes, .n_devices = N_DEVICES, .max_bytes = max_bytes });
}

static guint32
place (GobanDecisionsWriter *writer, GobanNodeId node, guint32 device)
{
  return goban_decisions_writer_decide (
      writer,
      &(GobanDecisionHead){
          .task = GOBAN_TASK_PLACEMENT, .nodes = &node, .n_nodes = 1, .n_options = N_DEVICES },
      device);
}

static GobanDecisionsWriter *
open_span (GobanDecisionsWriter *in, const char *name, GobanLevel level)
{
  return goban_decisions_writer_open (in, &(GobanSpanHead){ .name = name, .level = level });
}

static void
settle (GobanDecisionsWriter *writer, const GobanPlan *plan)
{
  goban_decisions_writer_settle (writer, plan);
}

/* All nodes on @device, with priorities that begin at @priority. */
static GobanPlan *
new_plan (const GobanGraph *graph, guint device, gint32 priority)
{
  GobanPlan *plan = goban_plan_new (graph, N_DEVICES);

  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      goban_plan_set_device (plan, v, (GobanDeviceId) device);
      goban_plan_set_priority (plan, v, priority + (gint32) v);
    }
  return plan;
}

/* --- memory ----------------------------------------------------------------------------------- */

typedef enum
{
  SAME,
  OTHER_PRIORITIES, /* in each plan */
  OTHER_KERNELS,
  OTHER_TRANSFERS,
  N_VARIANTS
} Variant;

/* Plans on devices that no moment has decided, but for the first. */
static GobanDecisions *
record_plans (const GobanGraph *graph, Variant variant, GobanPlan **plans)
{
  GobanDecisionsWriter *first = new_writer (N_NODES, 0);
  guint n_tensors = goban_graph_get_n_tensors (graph);
  g_autofree gint32 *transfers = g_new0 (gint32, n_tensors);

  for (guint k = 0; k < N_SETTLED; k++)
    {
      GobanDecisionsWriter *span = open_span (first, "plan", GOBAN_LEVEL_PLAN);

      plans[k] = new_plan (graph, 0, variant == OTHER_PRIORITIES ? (gint32) k : 7);
      goban_plan_set_fusion (plans[k], 0, variant == OTHER_KERNELS ? (gint32) k : 0);
      goban_plan_set_fusion (plans[k], 1, variant == OTHER_KERNELS ? (gint32) k : 0);
      transfers[0] = variant == OTHER_TRANSFERS ? (gint32) k : 3;
      goban_plan_set_transfer_priorities (plans[k], transfers);
      place (span, 0, k % 2);
      goban_plan_set_device (plans[k], 0, (GobanDeviceId) (k % 2));
      goban_plan_set_device (plans[k], 1, 2);
      settle (span, plans[k]);
      goban_decisions_writer_close (span, NULL, TRUE);
    }
  return goban_decisions_writer_end (first);
}

static void
assert_same_plan (const GobanPlan *a, const GobanPlan *b)
{
  g_assert_cmphex (goban_settling_digest_plan (a), ==, goban_settling_digest_plan (b));
  g_assert_true (toy_plans_are_same (a, b));
}

/* Equal columns of plans in a row are there once. */
static void
test_sharing (void)
{
  g_autoptr (GobanCostModel) costs = new_costs ();
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  gsize n_bytes[N_VARIANTS];

  for (Variant variant = SAME; variant < N_VARIANTS; variant++)
    {
      GobanPlan *plans[N_SETTLED];
      g_autoptr (GobanDecisions) decisions = record_plans (graph, variant, plans);

      n_bytes[variant] = goban_decisions_get_n_bytes (decisions);
      for (guint k = 0; k < N_SETTLED; k++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (GobanPlan) again = goban_replay_plan (costs, decisions, k + 1, &error);

          g_assert_no_error (error);
          assert_same_plan (again, plans[k]);
          goban_plan_unref (plans[k]);
        }
    }
  g_assert_cmpuint (n_bytes[OTHER_PRIORITIES] - n_bytes[SAME], ==,
                    (N_SETTLED - 1) * N_NODES * sizeof (gint32));
  g_assert_cmpuint (n_bytes[OTHER_KERNELS] - n_bytes[SAME], ==,
                    (N_SETTLED - 1) * N_NODES * sizeof (gint32));
  g_assert_cmpuint (n_bytes[OTHER_TRANSFERS] - n_bytes[SAME], ==,
                    (N_SETTLED - 1) * goban_graph_get_n_tensors (graph) * sizeof (gint32));
}

/* Old plans go first, the newest never; 200 that share their priorities fit where 200 others do
 * not. */
static void
test_dropping (void)
{
  const gsize limit = 128 << 10;
  const guint n_plans = 200;
  g_autoptr (GobanCostModel) costs = toy_costs (toy_two_chains (300), "p100x4");
  const GobanGraph *graph = goban_cost_model_get_graph (costs);

  for (guint is_shared = 0; is_shared < 2; is_shared++)
    {
      GobanDecisionsWriter *first = new_writer (600, limit);
      g_autoptr (GobanPlan) plan = NULL;
      g_autoptr (GobanDecisions) decisions = NULL;
      guint n_left = 0;
      gboolean is_last = FALSE;

      for (GobanNodeId v = 0; v < 600; v++)
        place (first, v, 1);
      for (guint k = 0; k < n_plans; k++)
        {
          g_clear_pointer (&plan, goban_plan_unref);
          plan = new_plan (graph, 1, is_shared ? 0 : (gint32) k);
          goban_plan_set_device (plan, 0, (GobanDeviceId) (k % N_DEVICES));
          place (first, 0, k % N_DEVICES);
          settle (first, plan);
          g_clear_pointer (&decisions, goban_decisions_unref);
          decisions = goban_decisions_writer_peek (first);
          g_assert_cmpuint (goban_decisions_get_n_bytes (decisions), <=, limit);
        }
      g_clear_pointer (&decisions, goban_decisions_unref);
      decisions = goban_decisions_writer_end (first);
      g_assert_cmpuint (goban_decisions_get_n_bytes (decisions), <=, limit);
      for (GobanMoment m = 601; m <= 600 + n_plans; m++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (GobanPlan) again = goban_replay_plan (costs, decisions, m, &error);

          is_last = again != NULL;
          n_left += is_last;
          if (again == NULL)
            g_assert_nonnull (
                strstr (error->message, "dropped to save memory: choose a later one"));
          if (m == 600 + n_plans)
            assert_same_plan (again, plan);
        }
      g_test_message ("%u of %u plans left in %" G_GSIZE_FORMAT " bytes", n_left, n_plans,
                      goban_decisions_get_n_bytes (decisions));
      g_assert_true (is_last);
      if (is_shared)
        g_assert_cmpuint (n_left, ==, n_plans);
      else
        {
          g_assert_cmpuint (n_left, <, n_plans / 2);
          /* No more is dropped than needed: three quarters of the limit remain at least, but for
           * one plan. */
          g_assert_cmpuint (goban_decisions_get_n_bytes (decisions), >, limit / 2);
        }
    }
}

/* The plan of the run is there even if it is larger than the limit. */
static void
test_last_plan (void)
{
  g_autoptr (GobanCostModel) costs = toy_costs (toy_two_chains (300), "p100x4");
  GobanDecisionsWriter *first = new_writer (600, 2048);
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanPlan) again = NULL;
  g_autoptr (GobanDecisions) decisions = NULL;

  for (guint k = 0; k < 3; k++)
    {
      g_clear_pointer (&plan, goban_plan_unref);
      plan = new_plan (goban_cost_model_get_graph (costs), k, (gint32) k);
      goban_decisions_writer_set_plan (first, &(GobanDecisionHead){ .options = GOBAN_OPTION_PLAN },
                                       plan);
      goban_decisions_writer_settle (first, plan);
    }
  decisions = goban_decisions_writer_end (first);
  again = goban_replay_plan (costs, decisions, goban_decisions_get_last (decisions), NULL);
  g_assert_nonnull (again);
  assert_same_plan (again, plan);
}

/* --- plans between settled ones --------------------------------------------------------------- */

static void
assert_priority (const GobanCostModel *costs, const GobanDecisions *decisions, GobanMoment moment,
                 gint32 priority)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanPlan) plan = goban_replay_plan (costs, decisions, moment, &error);

  g_assert_no_error (error);
  g_assert_cmpint (goban_plan_get_priority (plan, 0), ==, priority);
  g_assert_cmpint (goban_plan_get_order (plan), ==, GOBAN_ORDER_PRIORITY);
  g_assert_false (goban_plan_is_fused (plan));
}

static void
settle_new (GobanDecisionsWriter *writer, const GobanGraph *graph, gint32 priority)
{
  g_autoptr (GobanPlan) plan = new_plan (graph, 0, priority);

  settle (writer, plan);
}

/* A moment has the order of the next settled plan that it leads to, not of one beside it. */
static void
test_unsettled (void)
{
  g_autoptr (GobanCostModel) costs = new_costs ();
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  GobanDecisionsWriter *first = new_writer (N_NODES, 0);
  GobanDecisionsWriter *span = open_span (first, "attempt", GOBAN_LEVEL_PLAN);
  g_autoptr (GobanDecisions) decisions = NULL;

  /* 1, 2 settled, 3: rejected. */
  for (GobanNodeId v = 0; v < 2; v++)
    place (span, v, 1);
  settle_new (span, graph, 20);
  place (span, 2, 1);
  goban_decisions_writer_close (span, NULL, FALSE);
  /* 4, a side line 5 to 6 settled, 7, 8, 9 settled, 10. */
  place (first, 0, 2);
  span = open_span (first, "trial", GOBAN_LEVEL_PLAN);
  place (span, 1, 2);
  place (span, 2, 2);
  settle_new (span, graph, 60);
  goban_decisions_writer_close (span, NULL, FALSE);
  for (GobanNodeId v = 3; v < 6; v++)
    place (first, v, 2);
  settle_new (first, graph, 90);
  place (first, 6, 2);
  decisions = goban_decisions_writer_end (first);

  assert_priority (costs, decisions, 0, 20); /* the first that the beginning leads to */
  assert_priority (costs, decisions, 1, 20);
  assert_priority (costs, decisions, 2, 20);
  assert_priority (costs, decisions, 3, 20); /* leads to none: the last before */
  assert_priority (costs, decisions, 4, 60); /* leads to 6 and to 9 */
  assert_priority (costs, decisions, 5, 60);
  assert_priority (costs, decisions, 6, 60);
  for (GobanMoment m = 7; m <= 10; m++)
    assert_priority (costs, decisions, m, 90); /* not 6, which is nearer to 7 */
}

/* A record that settles only off the line of some moments. */
static void
test_unsettled_line (void)
{
  g_autoptr (GobanCostModel) costs = new_costs ();
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  GobanDecisionsWriter *first = new_writer (N_NODES, 0);
  GobanDecisionsWriter *span = open_span (first, "attempt", GOBAN_LEVEL_PLAN);
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanDecisions) decisions = NULL;
  g_autoptr (GobanDecisions) without = NULL;

  place (span, 0, 1);
  goban_decisions_writer_close (span, NULL, FALSE);
  place (first, 0, 2);
  place (first, 1, 2);
  settle_new (first, graph, 30);
  decisions = goban_decisions_writer_end (first);
  assert_priority (costs, decisions, 1, 30); /* none before it: the first of all */
  assert_priority (costs, decisions, 2, 30);

  first = new_writer (N_NODES, 0);
  place (first, 0, 2);
  without = goban_decisions_writer_end (first);
  plan = goban_replay_plan (costs, without, 1, NULL);
  g_assert_cmpint (goban_plan_get_order (plan), ==, GOBAN_ORDER_FIFO);
  g_assert_cmpuint (goban_plan_get_device (plan, 0), ==, 2);
  g_assert_cmpuint (goban_plan_get_device (plan, 1), ==, 0);
}

static void
test_proven_bound (void)
{
  g_autoptr (GobanCostModel) costs = new_costs ();
  GobanDecisionsWriter *first = new_writer (N_NODES, 0);
  g_autoptr (GobanPlan) plan = new_plan (goban_cost_model_get_graph (costs), 1, 5);
  g_autoptr (GobanDecisions) decisions = NULL;

  for (GobanNodeId v = 0; v < N_NODES; v++)
    place (first, v, 1);
  goban_plan_set_proven_bound_us (plan, costs, 40);
  goban_decisions_writer_settle (first, plan);
  goban_decisions_writer_prove (first, 40);
  decisions = goban_decisions_writer_end (first);
  check_decisions (costs, plan, decisions);
}

/* --- the writer's present plan ---------------------------------------------------------------- */

/* One moment has all devices that differ, and the plan is settled there. */
static void
test_set_plan (void)
{
  g_autoptr (GobanCostModel) costs = new_costs ();
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  GobanDecisionsWriter *first = new_writer (N_NODES, 0);
  g_autoptr (GobanPlan) plan = new_plan (graph, 1, 9);
  g_autoptr (GobanDecisions) decisions = NULL;
  g_autoptr (GArray) changes = NULL;
  GobanDecision decision;

  for (GobanNodeId v = 0; v < N_NODES; v++)
    place (first, v, v < 3 ? 3 : 1);
  g_assert_cmphex (goban_decisions_writer_get_digest (first), ==, 0);
  goban_decisions_writer_set_plan (
      first, &(GobanDecisionHead){ .options = GOBAN_OPTION_PLAN, .note = "best" }, plan);
  goban_decisions_writer_settle (first, plan);
  g_assert_cmphex (goban_decisions_writer_get_digest (first), ==,
                   goban_settling_digest_plan (plan));
  decisions = goban_decisions_writer_end (first);
  check_decisions (costs, plan, decisions);
  g_assert_true (goban_decisions_get (decisions, N_NODES + 1, NULL, &decision));
  g_assert_cmpuint (decision.n_options, ==, 1);
  g_assert_cmpuint (decision.chosen, ==, 0);
  g_assert_cmpstr (decision.note, ==, "best");
  changes = goban_decisions_list_changes (decisions, N_NODES, N_NODES + 1);
  g_assert_cmpuint (changes->len, ==, 3);
  goban_decisions_writer_set_plan (NULL, NULL, NULL);
}

/* A digest is that of the present state: lost by the next decision, known again after a rejected
 * span, and the span's own when it ends. */
static void
test_digest (void)
{
  g_autoptr (GobanCostModel) costs = new_costs ();
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  GobanDecisionsWriter *first = new_writer (N_NODES, 0);
  GobanDecisionsWriter *outer = open_span (first, "batch", GOBAN_LEVEL_ROUND);
  GobanDecisionsWriter *inner = open_span (outer, "trial", GOBAN_LEVEL_PLAN);
  g_autoptr (GobanPlan) one = new_plan (graph, 0, 1);
  g_autoptr (GobanPlan) other = new_plan (graph, 0, 2);
  guint64 digest = goban_settling_digest_plan (one);
  g_autoptr (GobanDecisions) decisions = NULL;

  place (inner, 0, 1);
  settle (inner, one);
  g_assert_cmphex (goban_decisions_writer_get_digest (inner), ==, digest);
  goban_decisions_writer_close (inner, &(GobanSpanResult){ .makespan_us = 10 }, TRUE);
  g_assert_cmphex (goban_decisions_writer_get_digest (outer), ==, digest);

  inner = open_span (outer, "trial", GOBAN_LEVEL_PLAN);
  g_assert_cmphex (goban_decisions_writer_get_digest (inner), ==, digest);
  place (inner, 0, 2);
  g_assert_cmphex (goban_decisions_writer_get_digest (inner), ==, 0);
  settle (inner, other);
  goban_decisions_writer_close (inner, &(GobanSpanResult){ .makespan_us = 20 }, FALSE);
  g_assert_cmphex (goban_decisions_writer_get_digest (outer), ==, digest);

  inner = open_span (outer, "trial", GOBAN_LEVEL_PLAN);
  place (inner, 0, 3);
  settle (inner, other);
  place (inner, 0, 2);
  goban_decisions_writer_close (inner, NULL, FALSE);
  goban_decisions_writer_close (outer, NULL, TRUE);
  g_assert_cmphex (goban_decisions_writer_get_digest (first), ==, digest);
  decisions = goban_decisions_writer_end (first);

  g_assert_cmphex (goban_decisions_get_span (decisions, 1)->digest, ==, digest);
  g_assert_cmphex (goban_decisions_get_span (decisions, 2)->digest, ==, digest);
  g_assert_cmphex (goban_decisions_get_span (decisions, 3)->digest, ==,
                   goban_settling_digest_plan (other));
  g_assert_cmphex (goban_decisions_get_span (decisions, 4)->digest, ==, 0);
  g_assert_true (isnan (goban_decisions_get_span (decisions, 2)->before_us));
  g_assert_cmpfloat (goban_decisions_get_span (decisions, 3)->before_us, ==, 10);
  g_assert_cmpfloat (goban_decisions_get_span (decisions, 4)->before_us, ==, 10);
  g_assert_cmphex (goban_decisions_writer_get_digest (NULL), ==, 0);
}

/* The makespan of an outer span's first state may be known from an inner span. */
static void
test_known (void)
{
  GobanDecisionsWriter *first = new_writer (N_NODES, 0);
  GobanDecisionsWriter *round, *plan;
  g_autoptr (GobanDecisions) decisions = NULL;

  place (first, 0, 1);
  round = open_span (first, "update", GOBAN_LEVEL_ROUND);
  place (round, 0, 2);
  plan = goban_decisions_writer_open (
      round,
      &(GobanSpanHead){ .name = "trial", .level = GOBAN_LEVEL_PLAN, .has_base = TRUE, .base = 1 });
  goban_decisions_writer_close (plan, &(GobanSpanResult){ .makespan_us = 30 }, FALSE);
  goban_decisions_writer_close (round, NULL, FALSE);
  goban_decisions_writer_close (open_span (first, "update", GOBAN_LEVEL_ROUND), NULL, TRUE);
  decisions = goban_decisions_writer_end (first);
  g_assert_true (isnan (goban_decisions_get_span (decisions, 2)->before_us));
  g_assert_cmpfloat (goban_decisions_get_span (decisions, 3)->before_us, ==, 30);
}

/* Spans that began before all that is left go back to their states. */
static void
test_folded_returns (void)
{
  GobanDecisionsWriter *first = new_writer (N_NODES, 16 << 10);
  GobanDecisionsWriter *round, *plan;
  g_autoptr (GobanDecisions) decisions = NULL;
  GobanDecisionState state = { 0 };

  place (first, 0, 3);
  round = goban_decisions_writer_open (
      first, &(GobanSpanHead){ .name = "update", .level = GOBAN_LEVEL_ROUND, .has_base = TRUE });
  place (round, 1, 2);
  plan = goban_decisions_writer_open (
      round, &(GobanSpanHead){ .name = "attempt", .level = GOBAN_LEVEL_PLAN, .has_base = TRUE });
  for (guint k = 0; k < 3000; k++)
    place (plan, k % N_NODES, k % 3);
  goban_decision_state_init (&state, N_NODES);
  goban_decisions_writer_close (plan, NULL, FALSE);
  place (round, 2, 2);
  decisions = goban_decisions_writer_peek (first);
  goban_decisions_fill_state (decisions, goban_decisions_get_last (decisions), &state);
  g_assert_cmpuint (state.choices[GOBAN_TASK_PLACEMENT][0], ==, GOBAN_UNDECIDED);
  g_assert_cmpuint (state.choices[GOBAN_TASK_PLACEMENT][1], ==, 2);
  g_assert_cmpuint (state.choices[GOBAN_TASK_PLACEMENT][2], ==, 2);
  g_assert_cmpuint (state.choices[GOBAN_TASK_PLACEMENT][3], ==, GOBAN_UNDECIDED);
  goban_decisions_writer_close (round, NULL, FALSE);
  place (first, 4, 1);
  goban_decisions_unref (decisions);
  decisions = goban_decisions_writer_end (first);
  goban_decisions_fill_state (decisions, goban_decisions_get_last (decisions), &state);
  for (GobanNodeId v = 0; v < N_NODES; v++)
    g_assert_cmpuint (state.choices[GOBAN_TASK_PLACEMENT][v], ==,
                      v == 0   ? 3
                      : v == 4 ? 1
                               : GOBAN_UNDECIDED);
  goban_decision_state_clear (&state);
}

/* A span that begins with moment 0 begins with the earliest state that is left. */
static void
test_folded_base (void)
{
  GobanDecisionsWriter *first = new_writer (N_NODES, 16 << 10);
  GobanDecisionsWriter *span;
  g_autoptr (GobanDecisions) decisions = NULL;
  GobanDecisionsBeginning beginning;
  GobanDecisionState state = { 0 };

  for (GobanMoment m = 1; m <= 1000; m++)
    place (first, m % N_NODES, m % 3);
  span = goban_decisions_writer_open (
      first, &(GobanSpanHead){ .name = "attempt", .level = GOBAN_LEVEL_PLAN, .has_base = TRUE });
  place (span, 0, 3);
  place (span, 1, 3);
  goban_decisions_writer_close (span, NULL, TRUE);
  decisions = goban_decisions_writer_end (first);
  goban_decisions_get_beginning (decisions, &beginning);
  g_assert_cmpuint (beginning.moment, >, 0);
  g_assert_cmpuint (goban_decisions_get_span (decisions, 1)->base, ==, beginning.moment);
  g_assert_cmpuint (goban_decisions_get_previous (decisions, 1001), ==, beginning.moment);
  goban_decision_state_init (&state, N_NODES);
  goban_decisions_fill_state (decisions, 1002, &state);
  for (GobanNodeId v = 0; v < N_NODES; v++)
    g_assert_cmpuint (state.choices[GOBAN_TASK_PLACEMENT][v], ==,
                      v < 2 ? 3 : beginning.state->choices[GOBAN_TASK_PLACEMENT][v]);
  goban_decision_state_clear (&state);
}

/* Moment m of a side line places node m % N_NODES. */
static void
assert_side_states (const GobanDecisions *decisions, guint n_side)
{
  GobanDecisionState state = { 0 };

  goban_decision_state_init (&state, N_NODES);
  for (GobanMoment m = 1; m <= n_side; m++)
    {
      if (!goban_decisions_has (decisions, m))
        continue;
      goban_decisions_fill_state (decisions, m, &state);
      for (GobanMoment by = m; by > 0 && by + N_NODES > m; by--)
        g_assert_cmpuint (state.choices[GOBAN_TASK_PLACEMENT][by % N_NODES], ==,
                          by / N_NODES % N_DEVICES);
    }
  goban_decision_state_clear (&state);
}

/* If moments off the line are dropped, so are those that follow them: they have no states. */
static void
test_dropped_sides (void)
{
  const guint n_side = 700;
  GobanDecisionsWriter *first = new_writer (N_NODES, 32 << 10);
  GobanDecisionsWriter *trial = open_span (first, "trial", GOBAN_LEVEL_PLAN);
  guint n_dropped = 0;

  for (GobanMoment m = 1; m <= n_side; m++)
    place (trial, m % N_NODES, m / N_NODES % N_DEVICES);
  goban_decisions_writer_close (trial, NULL, FALSE);
  for (guint k = 0; k < 8; k++)
    {
      g_autoptr (GobanDecisions) decisions = NULL;
      g_autoptr (GArray) left = NULL;
      guint scores, moments, n_left = 0;

      for (guint i = 0; i < 100; i++)
        place (first, i % N_NODES, 1);
      decisions = goban_decisions_writer_peek (first);
      goban_decisions_count_left_out (decisions, &scores, &moments);
      left = goban_decisions_list_left (decisions);
      for (GobanMoment m = 1; m <= goban_decisions_get_n_moments (decisions); m++)
        if (goban_decisions_has (decisions, m))
          g_assert_cmpuint (g_array_index (left, GobanMoment, n_left++), ==, m);
      g_assert_cmpuint (n_left, ==, left->len);
      g_assert_cmpuint (n_left + moments, ==, goban_decisions_get_n_moments (decisions));
      assert_side_states (decisions, n_side);
      n_dropped += moments;
    }
  g_assert_cmpuint (n_dropped, >, 0);
  goban_decisions_writer_free (first);
}

/* A decision without times leaves those of its nodes, whichever times are known in its block. */
static void
test_times (void)
{
  GobanDecisionsWriter *first = new_writer (N_NODES, 0);
  GobanDecisionState state = { 0 };

  goban_decision_state_init (&state, N_NODES);
  place (first, 0, 1);
  goban_decisions_writer_set_times (first, 5, 7);
  place (first, 0, 2);
  place (first, 1, 2);
  for (guint is_known = 0; is_known < 2; is_known++)
    {
      g_autoptr (GobanDecisions) decisions = NULL;

      if (is_known)
        {
          goban_decisions_writer_set_times (first, 8, 9);
          place (first, 2, 2);
        }
      decisions = goban_decisions_writer_peek (first);
      goban_decisions_fill_state (decisions, 3, &state);
      g_assert_true (state.starts_us[0] == 5 && state.finishes_us[0] == 7);
      g_assert_cmpint (isnan (state.starts_us[1]), ==, !is_known);
    }
  goban_decision_state_clear (&state);
  goban_decisions_writer_free (first);
}

/* A snapshot does not change, and its open spans end with it. */
static void
test_snapshot (void)
{
  GobanDecisionsWriter *first = new_writer (N_NODES, 0);
  GobanDecisionsWriter *plan = open_span (first, "attempt", GOBAN_LEVEL_PLAN);
  g_autoptr (GobanDecisions) snapshot = NULL;
  GobanDecision decision;

  place (plan, 0, 1);
  place (plan, 1, 1);
  snapshot = goban_decisions_writer_peek (first);
  goban_decisions_writer_set_times (plan, 5, 7);
  place (plan, 2, 1);
  g_assert_cmpuint (goban_decisions_get_n_moments (snapshot), ==, 2);
  g_assert_true (goban_decisions_get (snapshot, 2, NULL, &decision));
  g_assert_true (isnan (decision.start_us) && isnan (decision.finish_us));
  g_assert_true (goban_decisions_get_span (snapshot, 1)->is_open);
  g_assert_cmpuint (goban_decisions_get_span (snapshot, 1)->end, ==, 2);
  goban_decisions_unref (snapshot);
  snapshot = goban_decisions_writer_end (first);
  g_assert_true (goban_decisions_get (snapshot, 2, NULL, &decision));
  g_assert_true (decision.start_us == 5 && decision.finish_us == 7);
}

/* A policy that fails leaves its spans open: they end rejected, from the inside. */
static void
test_left_open (void)
{
  GobanDecisionsWriter *first = new_writer (N_NODES, 0);
  GobanDecisionsWriter *round, *plan, *pass;
  g_autoptr (GobanDecisions) decisions = NULL;

  place (first, 0, 1);
  round = open_span (first, "update", GOBAN_LEVEL_ROUND);
  place (round, 1, 1);
  plan = open_span (round, "attempt", GOBAN_LEVEL_PLAN);
  pass = open_span (plan, "draft", GOBAN_LEVEL_PASS);
  place (pass, 0, 3);
  decisions = goban_decisions_writer_end (first);
  g_assert_cmpuint (goban_decisions_get_n_spans (decisions), ==, 3);
  g_assert_cmpuint (goban_decisions_get_last (decisions), ==, 1);
  for (guint32 s = 1; s <= 3; s++)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, s);

      g_assert_false (span->is_open);
      g_assert_false (span->is_accepted);
      g_assert_cmpuint (span->end, ==, 3);
    }
  /* The inner ones ended first, so the outer ones have the state before them. */
  g_assert_cmpuint (goban_decisions_get_span (decisions, 1)->last, ==, 2);
  g_assert_cmpuint (goban_decisions_get_span (decisions, 2)->last, ==, 2);
  g_assert_cmpuint (goban_decisions_get_span (decisions, 3)->last, ==, 3);

  /* Freeing does the same. */
  first = new_writer (N_NODES, 0);
  place (open_span (first, "update", GOBAN_LEVEL_ROUND), 0, 1);
  goban_decisions_writer_free (first);
  goban_decisions_writer_free (NULL);
}

/* --- the expected record ---------------------------------------------------------------------- */

/* Three moments on device 1, the second settled. */
static void
write_short (GobanDecisionsWriter *writer, const GobanPlan *plan)
{
  for (GobanNodeId v = 0; v < 3; v++)
    {
      place (writer, v, 1);
      if (v == 1)
        settle (writer, plan);
    }
}

static void
test_expected (void)
{
  g_autoptr (GobanCostModel) costs = new_costs ();
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  g_autoptr (GobanPlan) plan = new_plan (graph, 1, 1);
  g_autoptr (GobanPlan) changed = new_plan (graph, 1, 2);
  GobanDecisionsWriter *writer = new_writer (N_NODES, 0);
  g_autoptr (GobanDecisions) decisions = NULL;
  GobanDecisionsOptions options = { .n_nodes = N_NODES, .n_devices = N_DEVICES };
  const char *const other = "moment 2 is another decision than in the record: the network, the "
                            "graph or the cluster has changed";
  /* Heads that differ in one respect each from the second moment's. */
  const GobanNodeId nodes[] = { 1, 7 };
  const struct
  {
    GobanTask task;
    guint first_node, n_nodes, n_options;
    guint32 chosen;
    const char *problem; /* (nullable) */
  } cases[] = {
    { GOBAN_TASK_PLACEMENT, 0, 1, N_DEVICES, 1, NULL },
    { GOBAN_TASK_SCHEDULING, 0, 1, N_DEVICES, 1, other },
    { GOBAN_TASK_PLACEMENT, 1, 1, N_DEVICES, 1, other },
    { GOBAN_TASK_PLACEMENT, 0, 2, N_DEVICES, 1, other },
    { GOBAN_TASK_PLACEMENT, 0, 0, N_DEVICES, 1, other },
    { GOBAN_TASK_PLACEMENT, 0, 1, N_DEVICES - 1, 1, other },
    { GOBAN_TASK_PLACEMENT, 0, 1, N_DEVICES, 2, other },
  };

  write_short (writer, plan);
  decisions = goban_decisions_writer_end (writer);
  options.expected = decisions;
  options.moment = 3;
  options.option = 2;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      writer = goban_decisions_writer_new (&options);
      place (writer, 0, 1);
      goban_decisions_writer_decide (writer,
                                     &(GobanDecisionHead){ .task = cases[i].task,
                                                           .nodes = nodes + cases[i].first_node,
                                                           .n_nodes = cases[i].n_nodes,
                                                           .n_options = cases[i].n_options },
                                     cases[i].chosen);
      g_assert_cmpstr (goban_decisions_writer_get_problem (writer), ==, cases[i].problem);
      g_assert_cmpuint (place (writer, 2, 1), ==, 2);
      /* What follows the forced moment may be anything. */
      place (writer, 5, 3);
      g_assert_cmpstr (goban_decisions_writer_get_problem (writer), ==, cases[i].problem);
      goban_decisions_writer_free (writer);
    }

  writer = goban_decisions_writer_new (&options);
  write_short (writer, plan);
  g_assert_null (goban_decisions_writer_get_problem (writer));
  goban_decisions_writer_free (writer);
  writer = goban_decisions_writer_new (&options);
  write_short (writer, changed);
  g_assert_cmpstr (goban_decisions_writer_get_problem (writer), ==,
                   "the plan of moment 2 is another than in the record: the graph or the cluster "
                   "has changed");
  goban_decisions_writer_free (writer);

  /* The first problem stays. */
  options.moment = 5;
  writer = goban_decisions_writer_new (&options);
  write_short (writer, plan);
  place (writer, 3, 1);
  place (writer, 4, 1);
  g_assert_cmpstr (goban_decisions_writer_get_problem (writer), ==,
                   "there is no moment 4 in the record");
  goban_decisions_writer_free (writer);

  options.moment = 3;
  options.option = N_DEVICES;
  writer = goban_decisions_writer_new (&options);
  write_short (writer, plan);
  g_assert_cmpstr (goban_decisions_writer_get_problem (writer), ==,
                   "moment 3 has 4 options, none of number 4");
  goban_decisions_writer_free (writer);
}

TEST_PROGRAM (settling)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/settling/sharing", test_sharing);
  g_test_add_func ("/settling/dropping", test_dropping);
  g_test_add_func ("/settling/last-plan", test_last_plan);
  g_test_add_func ("/settling/unsettled", test_unsettled);
  g_test_add_func ("/settling/unsettled-line", test_unsettled_line);
  g_test_add_func ("/settling/proven-bound", test_proven_bound);
  g_test_add_func ("/settling/set-plan", test_set_plan);
  g_test_add_func ("/settling/digest", test_digest);
  g_test_add_func ("/settling/known", test_known);
  g_test_add_func ("/settling/folded-returns", test_folded_returns);
  g_test_add_func ("/settling/folded-base", test_folded_base);
  g_test_add_func ("/settling/dropped-sides", test_dropped_sides);
  g_test_add_func ("/settling/times", test_times);
  g_test_add_func ("/settling/snapshot", test_snapshot);
  g_test_add_func ("/settling/left-open", test_left_open);
  g_test_add_func ("/settling/expected", test_expected);
  return g_test_run ();
}
