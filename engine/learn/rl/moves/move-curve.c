#include "engine/learn/rl/moves/move-curve.h"

#include <math.h>
#include <string.h>

gboolean
goban_move_curve_init (GobanMoveCurve *self, GobanCostModel *costs,
                       const GobanPlacerOptions *options, GError **error)
{
  *self = (GobanMoveCurve){ .best_us = INFINITY };
  if (!goban_graph_curve_init (&self->graph, costs, options, error))
    return FALSE;
  self->n_to = g_new0 (guint, MAX (self->graph.n_devices, 1));
  return TRUE;
}

void
goban_move_curve_clear (GobanMoveCurve *self)
{
  goban_graph_curve_clear (&self->graph);
  g_clear_pointer (&self->n_to, g_free);
}

gboolean
goban_move_curve_is_watched (const GobanMoveCurve *self)
{
  return goban_graph_curve_is_watched (&self->graph);
}

void
goban_move_curve_begin (GobanMoveCurve *self)
{
  if (!goban_move_curve_is_watched (self))
    return;
  goban_graph_curve_begin_update (&self->graph);
  memset (self->n_to, 0, self->graph.n_devices * sizeof *self->n_to);
  memset (self->n_proposals, 0, sizeof self->n_proposals);
  memset (self->n_gains, 0, sizeof self->n_gains);
  self->n_moves = 0;
  self->error = 0;
}

void
goban_move_curve_set_best (GobanMoveCurve *self, const GobanOutcome *outcome)
{
  if (outcome->overflow_bytes <= 0)
    self->best_us = MIN (self->best_us, outcome->makespan_us);
}

static double
get_share (guint n, guint of)
{
  return of > 0 ? (double) n / of : (double) NAN;
}

/* Entropy of the proposed devices; NAN without proposals. */
static double
get_entropy (const GobanMoveCurve *self, guint n_proposals)
{
  double sum = 0;

  for (guint d = 0; d < self->graph.n_devices; d++)
    if (self->n_to[d] > 0)
      {
        double share = (double) self->n_to[d] / n_proposals;

        sum -= share * log (share);
      }
  return n_proposals > 0 ? sum : (double) NAN;
}

static void
send_point (GobanMoveCurve *self)
{
  const GobanCurveSink *sink = self->graph.sink;
  GobanCurvePoint of_plans = goban_graph_curve_next_point (&self->graph);
  GobanMoveCurvePoint point = { .step = of_plans.step };
  guint n_own = self->n_proposals[GOBAN_PROPOSER_LEARNER];
  guint n_net = self->n_proposals[GOBAN_PROPOSER_NETWORK];

  point.values[GOBAN_MOVE_CURVE_MEAN] = of_plans.values[GOBAN_CURVE_MEAN];
  point.values[GOBAN_MOVE_CURVE_BEST]
      = isfinite (self->best_us) ? self->best_us / self->graph.reference_us : (double) NAN;
  point.values[GOBAN_MOVE_CURVE_VALID] = of_plans.values[GOBAN_CURVE_VALID];
  point.values[GOBAN_MOVE_CURVE_OWN_GAINS]
      = get_share (self->n_gains[GOBAN_PROPOSER_LEARNER], n_own);
  point.values[GOBAN_MOVE_CURVE_NET_GAINS]
      = get_share (self->n_gains[GOBAN_PROPOSER_NETWORK], n_net);
  point.values[GOBAN_MOVE_CURVE_OWN_TURNS] = get_share (n_own, n_own + n_net);
  point.values[GOBAN_MOVE_CURVE_ERROR] = self->error / self->n_moves;
  point.values[GOBAN_MOVE_CURVE_ENTROPY] = get_entropy (self, n_own + n_net);
  point.values[GOBAN_MOVE_CURVE_TOP_SHARE] = of_plans.values[GOBAN_CURVE_TOP_SHARE];
  point.values[GOBAN_MOVE_CURVE_SECONDS] = of_plans.values[GOBAN_CURVE_SECONDS];
  sink->add_moves (&point, sink->user_data);
}

void
goban_move_curve_add (GobanMoveCurve *self, const GobanCurveMove *move, const GobanPlan *plan,
                      const GobanOutcome *outcome)
{
  if (!goban_move_curve_is_watched (self))
    return;
  goban_graph_curve_add_sample (&self->graph, plan, outcome, 0);
  goban_move_curve_set_best (self, outcome);
  self->n_moves++;
  self->error += move->error;
  self->n_proposals[move->proposer]++;
  self->n_gains[move->proposer] += move->improves;
  if (move->proposer != GOBAN_PROPOSER_CHANCE)
    self->n_to[move->device]++;
  if (self->n_moves < GOBAN_MOVE_CURVE_MOVES)
    return;
  send_point (self);
  goban_move_curve_begin (self);
}

void
goban_move_curve_end (GobanMoveCurve *self)
{
  if (self->n_moves > 0)
    send_point (self);
  self->n_moves = 0;
}
