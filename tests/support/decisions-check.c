#include "tests/support/decisions-check.h"

#include "engine/decisions/decisions-writer.h"
#include "engine/decisions/replay.h"
#include "engine/sim/simulator.h"

#include <math.h>
#include <string.h>

/* At most so many states are filled, and so many plans replayed and simulated. */
#define MAX_STATES 48
#define MAX_PLANS 32

typedef struct
{
  GobanCostModel *costs;
  const GobanGraph *graph;
  GobanDecisions *decisions;
  guint n_nodes, n_devices;
  GobanMoment n_moments;
  gboolean is_whole; /* nothing was dropped */
} Check;

/* --- plans ------------------------------------------------------------------------------------ */

static void
check_same_plan (const Check *self, const GobanPlan *a, const GobanPlan *b)
{
  gsize n_tensors = goban_plan_get_n_tensors (a);
  const gint32 *transfers = goban_plan_get_transfer_priorities (a);
  const gint32 *others = goban_plan_get_transfer_priorities (b);

  g_assert_cmpmem (goban_plan_get_devices (a), self->n_nodes * sizeof (GobanDeviceId),
                   goban_plan_get_devices (b), self->n_nodes * sizeof (GobanDeviceId));
  g_assert_cmpmem (goban_plan_get_priorities (a), self->n_nodes * sizeof (gint32),
                   goban_plan_get_priorities (b), self->n_nodes * sizeof (gint32));
  g_assert_cmpmem (goban_plan_get_fusions (a), self->n_nodes * sizeof (gint32),
                   goban_plan_get_fusions (b), self->n_nodes * sizeof (gint32));
  g_assert_cmpint (goban_plan_get_order (a), ==, goban_plan_get_order (b));
  g_assert_cmpint (transfers != NULL, ==, others != NULL);
  if (transfers != NULL)
    g_assert_cmpmem (transfers, n_tensors * sizeof (gint32), others, n_tensors * sizeof (gint32));
  g_assert_cmpfloat (goban_plan_get_proven_bound_us (a, self->costs), ==,
                     goban_plan_get_proven_bound_us (b, self->costs));
}

/* (transfer full) (nullable): NULL if it was dropped, which only full records may do. */
static GobanPlan *
replay (const Check *self, GobanMoment moment)
{
  g_autoptr (GError) error = NULL;
  GobanPlan *plan = goban_replay_plan (self->costs, self->decisions, moment, &error);

  if (plan == NULL && goban_decisions_get_n_bytes (self->decisions) > GOBAN_DECISIONS_MAX_BYTES / 4
      && strstr (error->message, "dropped to save memory") != NULL)
    return NULL;
  g_assert_no_error (error);
  return plan;
}

static void
check_last_plan (const Check *self, GobanPlan *final)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanPlan) last = NULL;

  goban_plan_check (final, self->costs, &error);
  g_assert_no_error (error);
  last = replay (self, goban_decisions_get_last (self->decisions));
  g_assert_nonnull (last);
  check_same_plan (self, last, final);
}

/* Settled plans are those that the policy simulated: with their digest and their makespan. */
static void
check_settled_plans (const Check *self)
{
  GobanSimulator *simulator = goban_simulator_new (self->costs);
  guint n_spans = goban_decisions_get_n_spans (self->decisions);
  guint n_settled = 0;
  guint nth = 0;

  for (guint32 s = 1; s <= n_spans; s++)
    n_settled += goban_decisions_get_span (self->decisions, s)->digest != 0;
  for (guint32 s = 1; s <= n_spans; s++)
    {
      const GobanSpan *span = goban_decisions_get_span (self->decisions, s);
      g_autoptr (GobanPlan) plan = NULL;

      if (span->digest == 0)
        continue;
      /* Evenly spread if there are too many; always the last one. */
      nth++;
      if (nth * MAX_PLANS / n_settled == (nth - 1) * MAX_PLANS / n_settled
          || !goban_decisions_has (self->decisions, span->last))
        continue;
      plan = replay (self, span->last);
      if (plan == NULL)
        continue;
      g_assert_cmphex (goban_settling_digest_plan (plan), ==, span->digest);
      if (!isnan (span->after_us))
        {
          g_autoptr (GError) error = NULL;
          GobanOutcome outcome;

          goban_plan_check (plan, self->costs, &error);
          g_assert_no_error (error);
          outcome = goban_simulator_evaluate (simulator, plan);
          g_assert_cmpfloat (outcome.makespan_us, ==, span->after_us);
          g_assert_cmpfloat (outcome.overflow_bytes, ==, span->overflow_bytes);
        }
    }
  goban_simulator_free (simulator);
}

/* --- states ----------------------------------------------------------------------------------- */

/* Ops that are placed can run there, and a group whose members are placed is not split. */
static void
check_prefix (const Check *self, const GobanDecisionState *state)
{
  g_autofree guint32 *groups = g_new (guint32, goban_graph_get_n_groups (self->graph) + 1);

  memset (groups, 0xff, (goban_graph_get_n_groups (self->graph) + 1) * sizeof *groups);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      guint32 device = state->choices[GOBAN_TASK_PLACEMENT][v];
      guint32 group = goban_graph_get_node (self->graph, v)->group;

      if (device == GOBAN_UNDECIDED)
        continue;
      g_assert_cmpuint (device, <, self->n_devices);
      g_assert_true (goban_cost_model_can_run (self->costs, v, (GobanDeviceId) device));
      if (group == GOBAN_NO_GROUP)
        continue;
      if (groups[group] != GOBAN_UNDECIDED)
        g_assert_cmpuint (groups[group], ==, device);
      groups[group] = device;
    }
}

/* A node has the choice that the last moment before made that decided it. */
static void
check_finds (const Check *self, GobanMoment moment, const GobanDecisionState *state)
{
  for (guint k = 0; k < 6 && self->n_nodes > 0; k++)
    {
      GobanNodeId node = (GobanNodeId) g_test_rand_int_range (0, (gint32) self->n_nodes);
      GobanTask task = k % 2 == 0 ? GOBAN_TASK_PLACEMENT : GOBAN_TASK_SCHEDULING;
      GobanMoment by = goban_decisions_find (self->decisions, node, task, moment);
      g_autoptr (GArray) later = NULL;

      g_assert_cmpuint (by, <=, moment);
      if (self->is_whole)
        g_assert_cmpint (by != 0, ==, state->choices[task][node] != GOBAN_UNDECIDED);
      if (by == 0 || !goban_decisions_has (self->decisions, by))
        continue;
      later = goban_decisions_list_changes (self->decisions, by, moment);
      for (guint i = 0; i < later->len; i++)
        {
          const GobanDecisionChange *change = &g_array_index (later, GobanDecisionChange, i);

          g_assert_false (change->task == task && change->node == node);
        }
    }
}

/* Makes @state that of @moment by the changes since @from, and undoes them once. */
static void
walk (const Check *self, GobanMoment from, GobanMoment moment, GobanDecisionState *state)
{
  g_autoptr (GArray) there = goban_decisions_list_changes (self->decisions, from, moment);
  g_autoptr (GArray) back = goban_decisions_list_changes (self->decisions, moment, from);

  g_assert_cmpuint (there->len, ==, back->len);
  for (guint i = 0; i < there->len; i++)
    {
      const GobanDecisionChange *change = &g_array_index (there, GobanDecisionChange, i);
      const GobanDecisionChange *undone = &g_array_index (back, GobanDecisionChange, i);

      g_assert_cmpint (change->task, ==, undone->task);
      g_assert_cmpuint (change->node, ==, undone->node);
      g_assert_cmpuint (change->from, ==, undone->to);
      g_assert_cmpuint (change->to, ==, undone->from);
      g_assert_cmpuint (change->from, !=, change->to);
      g_assert_cmpuint (change->from, ==, state->choices[change->task][change->node]);
      state->choices[change->task][change->node] = change->to;
    }
}

static void
check_states (const Check *self)
{
  GobanDecisionState state = { 0 };
  GobanDecisionState walked = { 0 };
  GobanMoment from = 0;
  guint n = MIN (MAX_STATES, self->n_moments);

  goban_decision_state_init (&state, self->n_nodes);
  goban_decision_state_init (&walked, self->n_nodes);
  goban_decisions_fill_state (self->decisions, 0, &walked);
  check_prefix (self, &walked);
  for (guint k = 1; k <= n; k++)
    {
      GobanMoment moment = (GobanMoment) ((guint64) self->n_moments * k / n);
      g_autoptr (GobanPlan) plan = NULL;

      if (!goban_decisions_has (self->decisions, moment))
        {
          g_assert_false (self->is_whole);
          continue;
        }
      goban_decisions_fill_state (self->decisions, moment, &state);
      walk (self, from, moment, &walked);
      for (guint task = 0; task < GOBAN_N_TASKS; task++)
        g_assert_cmpmem (walked.choices[task], self->n_nodes * sizeof (guint32),
                         state.choices[task], self->n_nodes * sizeof (guint32));
      check_prefix (self, &state);
      check_finds (self, moment, &state);
      plan = replay (self, moment);
      from = moment;
    }
  goban_decisions_fill_state (self->decisions, goban_decisions_get_last (self->decisions), &state);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    g_assert_cmpuint (state.choices[GOBAN_TASK_PLACEMENT][v], !=, GOBAN_UNDECIDED);
  goban_decision_state_clear (&state);
  goban_decision_state_clear (&walked);
}

/* --- moments ---------------------------------------------------------------------------------- */

static void
check_scores (const GobanDecision *decision)
{
  const guint8 *refusals = decision->refusals;
  double sum = 0;

  for (guint k = 0; k < decision->n_options; k++)
    if (refusals == NULL || refusals[k] == 0)
      sum += (double) decision->scores[k];
    else if (decision->score == GOBAN_SCORE_PROBABILITY)
      g_assert_cmpfloat (decision->scores[k], ==, 0);
  if (decision->score == GOBAN_SCORE_PROBABILITY)
    g_assert_cmpfloat_with_epsilon (sum, 1, 1e-4);

  if (!decision->takes_least || decision->note != NULL
      || (decision->flags & (GOBAN_DECISION_FORCED | GOBAN_DECISION_SAMPLED)) != 0)
    return;
  for (guint k = 0; k < decision->n_options; k++)
    if (refusals == NULL || refusals[k] == 0)
      {
        g_assert_true (refusals == NULL || refusals[decision->chosen] == 0);
        g_assert_false (decision->scores[k] < decision->scores[decision->chosen]);
      }
}

/* The span that was opened last among those around the moment. */
static guint32
find_innermost (const Check *self, GobanMoment moment)
{
  for (guint32 s = goban_decisions_get_n_spans (self->decisions); s > 0; s--)
    {
      const GobanSpan *span = goban_decisions_get_span (self->decisions, s);

      if (span->begin < moment && moment <= span->end)
        return s;
    }
  return 0;
}

static void
check_moments (const Check *self)
{
  GobanDecisionRoom room = { 0 };
  guint every = self->n_moments / 5000 + 1;

  for (GobanMoment m = 1; m <= self->n_moments; m++)
    {
      GobanDecision decision;

      if (!goban_decisions_get (self->decisions, m, &room, &decision))
        {
          g_assert_false (self->is_whole);
          continue;
        }
      g_assert_cmpuint (decision.number, ==, m);
      g_assert_cmpuint (goban_decisions_get_previous (self->decisions, m), <, m);
      if (m % every == 0)
        g_assert_cmpuint (decision.span, ==, find_innermost (self, m));
      if (decision.n_options > 0)
        g_assert_cmpuint (decision.chosen, <, decision.n_options);
      if (decision.options == GOBAN_OPTION_DEVICE)
        g_assert_cmpuint (decision.n_options, <=, self->n_devices);
      for (guint k = 0; k < decision.n_nodes; k++)
        {
          g_assert_cmpuint (decision.nodes[k], <, self->n_nodes);
          if (decision.options == GOBAN_OPTION_DEVICE && decision.task == GOBAN_TASK_PLACEMENT)
            g_assert_true (goban_cost_model_can_run (self->costs, decision.nodes[k],
                                                     (GobanDeviceId) decision.chosen));
        }
      if (decision.scores != NULL)
        check_scores (&decision);
    }
  goban_decision_room_clear (&room);
}

/* --- spans ------------------------------------------------------------------------------------ */

/* The last makespan of a plan that is the state of @moment, among spans that ended before the one
 * of number @s began. */
static double
find_makespan (const Check *self, guint32 s, GobanMoment moment)
{
  const GobanSpan *after = goban_decisions_get_span (self->decisions, s);

  for (guint32 i = s - 1; i > 0; i--)
    {
      const GobanSpan *span = goban_decisions_get_span (self->decisions, i);
      gboolean is_around = FALSE;

      for (guint32 outer = after->parent; outer != 0;
           outer = goban_decisions_get_span (self->decisions, outer)->parent)
        is_around |= outer == i;
      if (!is_around && span->last == moment && !isnan (span->after_us))
        return span->after_us;
    }
  return (double) NAN;
}

static void
check_spans (const Check *self)
{
  guint n = goban_decisions_get_n_spans (self->decisions);
  g_autofree GobanMoment *ends = g_new0 (GobanMoment, n + 1); /* of the last child; 0: outside */
  guint every = n / 1000 + 1;

  for (guint32 s = 1; s <= n; s++)
    {
      const GobanSpan *span = goban_decisions_get_span (self->decisions, s);

      g_assert_false (span->is_open);
      g_assert_nonnull (span->name);
      g_assert_cmpuint (span->base, <=, span->begin);
      g_assert_cmpuint (span->begin, <=, span->end);
      g_assert_cmpuint (span->end, <=, self->n_moments);
      g_assert_cmpuint (span->last, <=, span->end);
      g_assert_cmpuint (span->parent, <, s);
      /* Siblings lie one after the other. */
      g_assert_cmpuint (ends[span->parent], <=, span->begin);
      ends[span->parent] = span->end;
      if (span->parent != 0)
        {
          const GobanSpan *parent = goban_decisions_get_span (self->decisions, span->parent);

          g_assert_cmpint (parent->level, >, span->level);
          g_assert_cmpuint (parent->begin, <=, span->begin);
          g_assert_cmpuint (parent->end, >=, span->end);
        }
      if (self->is_whole && s % every == 0)
        {
          double us = find_makespan (self, s, span->base);

          g_assert_cmpint (isnan (us), ==, isnan (span->before_us));
          if (!isnan (us))
            g_assert_cmpfloat (span->before_us, ==, us);
        }
    }
}

/* Walks through the record as it was written: each moment follows the state that the spans which
 * ended and began before it leave. */
static void
check_links (const Check *self)
{
  guint n_spans = goban_decisions_get_n_spans (self->decisions);
  g_autofree GobanMoment *returns_to = g_new0 (GobanMoment, n_spans + 1);
  GobanMoment present = 0;
  guint32 inner = 0;
  guint32 next = 1;

  for (GobanMoment m = 1; m <= self->n_moments + 1; m++)
    {
      for (;;)
        {
          const GobanSpan *span
              = next <= n_spans ? goban_decisions_get_span (self->decisions, next) : NULL;

          if (span != NULL && span->begin == m - 1 && span->parent == inner)
            {
              returns_to[next] = present;
              present = span->base;
              inner = next++;
              continue;
            }
          if (inner == 0)
            break;
          span = goban_decisions_get_span (self->decisions, inner);
          if (span->end != m - 1)
            break;
          g_assert_cmpuint (span->last, ==, present);
          if (!span->is_accepted)
            present = returns_to[inner];
          inner = span->parent;
        }
      if (m > self->n_moments)
        break;
      g_assert_cmpuint (goban_decisions_get_previous (self->decisions, m), ==, present);
      present = m;
    }
  g_assert_cmpuint (next, ==, n_spans + 1);
  g_assert_cmpuint (inner, ==, 0);
  g_assert_cmpuint (goban_decisions_get_last (self->decisions), ==, present);
}

/* Stops of a level are plans of its spans, one after the other. */
static void
check_stops (const Check *self)
{
  for (guint level = GOBAN_LEVEL_PASS; level < GOBAN_N_DECISION_LEVELS; level++)
    for (guint stops = GOBAN_STOPS_ALL; stops <= GOBAN_STOPS_LINE; stops++)
      {
        GobanMoment at = 0;

        for (guint k = 0; k < 20; k++)
          {
            GobanMoment next = goban_decisions_next_stop (self->decisions, level, stops, at, 1);
            gboolean is_found = FALSE;

            if (next == at)
              break;
            g_assert_cmpuint (next, >, at);
            for (guint32 s = 1; s <= goban_decisions_get_n_spans (self->decisions); s++)
              {
                const GobanSpan *span = goban_decisions_get_span (self->decisions, s);

                is_found |= span->level == level && span->last == next;
              }
            g_assert_true (is_found);
            if (stops == GOBAN_STOPS_LINE)
              g_assert_true (goban_decisions_is_on_line (self->decisions, next));
            g_assert_cmpuint (goban_decisions_next_stop (self->decisions, level, stops, next, -1),
                              ==, at);
            at = next;
          }
      }
}

void
check_decisions (GobanCostModel *costs, GobanPlan *final, GobanDecisions *decisions)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  Check self = { .costs = costs, .graph = graph, .decisions = decisions };
  guint n_without_scores, n_dropped;

  g_assert_nonnull (decisions);
  self.n_nodes = goban_graph_get_n_nodes (graph);
  self.n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  self.n_moments = goban_decisions_get_n_moments (decisions);
  goban_decisions_count_left_out (decisions, &n_without_scores, &n_dropped);
  self.is_whole = n_dropped == 0;
  g_assert_cmpuint (goban_decisions_get_n_nodes (decisions), ==, self.n_nodes);
  g_assert_cmpuint (goban_decisions_get_n_devices (decisions), ==, self.n_devices);
  g_assert_cmpuint (goban_decisions_get_n_bytes (decisions), <=, GOBAN_DECISIONS_MAX_BYTES);

  check_last_plan (&self, final);
  check_settled_plans (&self);
  check_states (&self);
  check_moments (&self);
  check_spans (&self);
  if (self.is_whole)
    check_links (&self);
  check_stops (&self);
}
