#include "engine/study/analysis/moments/moment-state.h"

#include <math.h>

/* --- times ---------------------------------------------------------------------------------- */

void
goban_decision_get_times (const GobanDecisions *decisions, const GobanDecision *decision,
                          double *before_us, double *after_us)
{
  *before_us = decision->before_us;
  *after_us = decision->after_us;
  for (guint32 s = decision->span; s != 0 && isnan (*after_us);)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, s);

      if (span->is_open || span->last != decision->number)
        break;
      *after_us = span->after_us;
      if (isnan (*before_us))
        *before_us = span->before_us;
      s = span->parent;
    }
}

/* --- nodes ---------------------------------------------------------------------------------- */

GArray *
goban_moment_list_changes (const GobanDecisions *decisions, GobanMoment moment)
{
  GobanMoment previous = moment > 0 ? goban_decisions_get_previous (decisions, moment) : 0;

  /* The state before a moment may be dropped, and moment 0 be a later one then. */
  return goban_decisions_list_changes (
      decisions, goban_decisions_has (decisions, previous) ? previous : moment, moment);
}

GobanDeviceId *
goban_moment_dup_had (const GobanDecisions *decisions, GobanMoment moment)
{
  guint n_nodes = goban_decisions_get_n_nodes (decisions);
  GobanDeviceId *had = g_new (GobanDeviceId, MAX (n_nodes, 1));
  g_autoptr (GArray) changes = goban_moment_list_changes (decisions, moment);

  for (guint v = 0; v < n_nodes; v++)
    had[v] = GOBAN_NO_DEVICE;
  for (guint i = 0; i < changes->len; i++)
    {
      const GobanDecisionChange *change = &g_array_index (changes, GobanDecisionChange, i);

      if (change->task == GOBAN_TASK_PLACEMENT && change->from != GOBAN_UNDECIDED)
        had[change->node] = (GobanDeviceId) change->from;
    }
  return had;
}

GobanSelection *
goban_moment_dup_changed (const GobanDecisions *decisions, GobanMoment moment, GobanTask task)
{
  g_autoptr (GArray) changes = goban_moment_list_changes (decisions, moment);
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));

  for (guint i = 0; i < changes->len; i++)
    {
      const GobanDecisionChange *change = &g_array_index (changes, GobanDecisionChange, i);

      if (task == GOBAN_N_TASKS || task == change->task)
        g_array_append_val (nodes, change->node);
    }
  return goban_selection_new ((const GobanNodeId *) (gpointer) nodes->data, nodes->len);
}

GobanNodeId
goban_moment_find_node (const GobanDecisions *decisions, GobanMoment moment)
{
  g_autoptr (GArray) changes = goban_moment_list_changes (decisions, moment);
  GobanDecision decision;

  if (changes->len > 0)
    return g_array_index (changes, GobanDecisionChange, 0).node;
  if (moment > 0 && goban_decisions_get (decisions, moment, NULL, &decision)
      && decision.n_nodes > 0)
    return decision.nodes[0];
  return GOBAN_NO_NODE;
}

GArray *
goban_moments_list_of_node (const GobanDecisions *decisions, GobanNodeId node, GobanMoment until)
{
  GArray *moments = g_array_new (FALSE, FALSE, sizeof (GobanMoment));

  for (guint task = 0; task < GOBAN_N_TASKS; task++)
    {
      GobanMoment moment = goban_decisions_find (decisions, node, (GobanTask) task, until);

      if (moment != 0)
        g_array_append_val (moments, moment);
    }
  return moments;
}

/* --- states --------------------------------------------------------------------------------- */

/* Whether the next decision goes on from the moment with a node that has no device there. */
static gboolean
is_built_on (const GobanDecisions *decisions, GobanMoment moment)
{
  g_autoptr (GArray) changes = NULL;

  if (moment >= goban_decisions_get_n_moments (decisions)
      || !goban_decisions_has (decisions, moment + 1)
      || goban_decisions_get_previous (decisions, moment + 1) != moment)
    return FALSE;
  changes = goban_moment_list_changes (decisions, moment + 1);
  for (guint i = 0; i < changes->len; i++)
    {
      const GobanDecisionChange *change = &g_array_index (changes, GobanDecisionChange, i);

      if (change->task == GOBAN_TASK_PLACEMENT && change->from == GOBAN_UNDECIDED)
        return TRUE;
    }
  return FALSE;
}

/* Whether the record is that of a policy that is still within a span. */
static gboolean
is_running (const GobanDecisions *decisions)
{
  for (guint32 s = goban_decisions_get_n_spans (decisions); s > 0; s--)
    if (goban_decisions_get_span (decisions, s)->is_open)
      return TRUE;
  return FALSE;
}

gboolean
goban_moment_is_finished (const GobanDecisions *decisions, GobanMoment moment)
{
  guint n_nodes = goban_decisions_get_n_nodes (decisions);
  GobanDecisionState state = { 0 };
  gboolean is_whole = TRUE;

  if (moment == goban_decisions_get_last (decisions) && !is_running (decisions))
    return TRUE;
  /* The state of a large graph takes milliseconds, and a player asks at each step. */
  if (!goban_decisions_has (decisions, moment) || is_built_on (decisions, moment))
    return FALSE;
  goban_decision_state_init (&state, n_nodes);
  goban_decisions_fill_state (decisions, moment, &state);
  for (GobanNodeId v = 0; v < n_nodes && is_whole; v++)
    is_whole = state.choices[GOBAN_TASK_PLACEMENT][v] != GOBAN_UNDECIDED;
  goban_decision_state_clear (&state);
  return is_whole;
}

GobanSelection *
goban_moment_dup_undecided (const GobanDecisions *decisions, GobanMoment moment)
{
  guint n_nodes = goban_decisions_get_n_nodes (decisions);
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  GobanDecisionState state = { 0 };

  goban_decision_state_init (&state, n_nodes);
  goban_decisions_fill_state (decisions, moment, &state);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (state.choices[GOBAN_TASK_PLACEMENT][v] == GOBAN_UNDECIDED)
      g_array_append_val (nodes, v);
  goban_decision_state_clear (&state);
  return goban_selection_new ((const GobanNodeId *) (gpointer) nodes->data, nodes->len);
}

/* Nodes of a decision run one after another. */
static void
spread_nodes (const GobanCostModel *costs, const GobanDecision *decision, GobanOpSpan *spans)
{
  double start_us = (double) decision->start_us;

  for (guint i = 0; i < decision->n_nodes; i++)
    {
      GobanNodeId v = decision->nodes[i];
      double finish_us = start_us + goban_cost_model_time_us (costs, v, decision->chosen);

      if (i + 1 == decision->n_nodes)
        finish_us = (double) decision->finish_us;
      spans[v] = (GobanOpSpan){ start_us, start_us, finish_us };
      start_us = finish_us;
    }
}

GobanOpSpan *
goban_moment_dup_spans (const GobanCostModel *costs, const GobanDecisions *decisions,
                        GobanMoment moment)
{
  guint n_nodes = goban_decisions_get_n_nodes (decisions);
  g_autofree GobanOpSpan *spans = g_new (GobanOpSpan, MAX (n_nodes, 1));
  GobanDecisionState state = { 0 };
  GobanDecision last;
  gboolean is_any = FALSE;

  if (moment == 0
      || (goban_decisions_get (decisions, moment, NULL, &last)
          && last.options != GOBAN_OPTION_DEVICE && last.options != GOBAN_OPTION_LEVEL))
    return NULL;
  goban_decision_state_init (&state, n_nodes);
  goban_decisions_fill_state (decisions, moment, &state);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      double start_us = (double) state.starts_us[v];

      spans[v] = (GobanOpSpan){ start_us, start_us, (double) state.finishes_us[v] };
      is_any |= !isnan (start_us);
    }
  for (GobanMoment m = is_any ? moment : 0; m > 0; m = goban_decisions_get_previous (decisions, m))
    {
      GobanDecision decision;

      if (goban_decisions_get (decisions, m, NULL, &decision) && decision.n_nodes > 1
          && !isnan (decision.start_us)
          /* Later decisions of the nodes are on the chain, too. */
          && state.starts_us[decision.nodes[0]] == decision.start_us
          && state.choices[GOBAN_TASK_PLACEMENT][decision.nodes[0]] == decision.chosen)
        spread_nodes (costs, &decision, spans);
    }
  goban_decision_state_clear (&state);
  return is_any ? g_steal_pointer (&spans) : NULL;
}
