#include "engine/learn/rl/baselines/group-decisions.h"

void
goban_group_nodes_init (GobanGroupNodes *self, const GobanUnits *units, const guint32 *group_of,
                        guint n_groups)
{
  guint n_nodes = goban_graph_get_n_nodes (units->graph);
  guint32 *ends;

  self->n_groups = n_groups;
  self->offsets = g_new0 (guint32, (gsize) n_groups + 2);
  self->nodes = g_new (GobanNodeId, (gsize) n_nodes + 1);

  /* Offsets of groups are one entry late until their nodes have moved them on. */
  ends = self->offsets + 1;
  for (guint v = 0; v < n_nodes; v++)
    if (group_of[units->unit_of[v]] + 1 < n_groups)
      ends[group_of[units->unit_of[v]] + 1]++;
  for (guint g = 1; g < n_groups; g++)
    ends[g] += ends[g - 1];
  for (guint u = 0; u < units->n_units; u++)
    for (guint32 i = units->offsets[u]; i < units->offsets[u + 1]; i++)
      self->nodes[ends[group_of[u]]++] = units->nodes[i];
}

void
goban_group_nodes_clear (GobanGroupNodes *self)
{
  g_clear_pointer (&self->offsets, g_free);
  g_clear_pointer (&self->nodes, g_free);
}

GobanForcedGroup
goban_forced_group_find (GobanDecisionsWriter *decisions)
{
  GobanForcedGroup self = { FALSE };

  self.is_any
      = goban_decisions_writer_get_forced (decisions, &self.evaluation, &self.index, &self.option);
  return self;
}

static gboolean
is_forced (const GobanForcedGroup *self, guint64 evaluation, guint index)
{
  return self->is_any && self->evaluation == evaluation && self->index == index;
}

GobanDeviceId
goban_forced_group_take (GobanForcedGroup *self, guint64 evaluation, guint index,
                         const guint8 *can_run, guint n_devices, GobanDeviceId drawn)
{
  /* The writer refuses other devices, too, when the decision is written. */
  if (!is_forced (self, evaluation, index) || self->option >= n_devices || !can_run[self->option])
    return drawn;
  self->is_taken = TRUE;
  self->drawn = drawn;
  return (GobanDeviceId) self->option;
}

GobanDeviceId
goban_forced_group_get_drawn (const GobanForcedGroup *self, guint64 evaluation, guint index,
                              GobanDeviceId device)
{
  return self->is_taken && is_forced (self, evaluation, index) ? (GobanDeviceId) self->drawn
                                                               : device;
}

guint
goban_forced_group_list_plans (const GobanForcedGroup *self, guint64 before, guint64 last,
                               guint64 best, guint64 evaluations[2])
{
  guint n = 0;

  if (self->is_any && self->evaluation > before && self->evaluation <= last
      && self->evaluation != best)
    evaluations[n++] = self->evaluation;
  if (best > before)
    evaluations[n++] = best;
  return n;
}

void
goban_group_decision_write (GobanDecisionsWriter *span, GobanDecisionHead head,
                            const float *probabilities, const guint8 *can_run, GobanDeviceId drawn)
{
  head.task = GOBAN_TASK_PLACEMENT;
  head.options = GOBAN_OPTION_DEVICE;
  head.score = GOBAN_SCORE_PROBABILITY;
  head.flags |= GOBAN_DECISION_SAMPLED;
  /* The last one first: room for the others is made once. */
  for (guint d = head.n_options; d-- > 0;)
    goban_decisions_writer_score (span, d, (double) probabilities[d],
                                  can_run[d] ? 0 : GOBAN_REFUSAL_CANNOT_RUN);
  goban_decisions_writer_decide (span, &head, drawn);
}

void
goban_group_decisions_close (GobanDecisionsWriter *span, GobanSearch *search, guint64 evaluation,
                             GobanOutcome outcome)
{
  const GobanSpanResult result = goban_search_get_result (outcome);
  gboolean is_best = evaluation == search->best_evaluation;

  if (is_best)
    goban_search_set_best (search, span, NULL);
  search->written = search->n_evaluations;
  goban_decisions_writer_close (span, &result, is_best);
}
