#include "engine/learn/rl/moves/move-learner.h"

#include "engine/learn/nn/least-squares.h"

#include <math.h>
#include <string.h>

/* Factor of the best gain per move. */
#define KEPT 0.99

/* Least best gain, as a share of the makespan. */
#define LEAST_GAIN 1e-4
#define FIRST_BEST 1e-3

/* Assumed standard deviation of targets, for drawing weights. */
#define NOISE 0.1

/* Running shares of improving moves: weight of the last move, and an addend so that neither
 * proposer stops. */
#define NEWEST_SHARE 0.02
#define LEAST_SHARE 0.02

struct _GobanMoveLearner
{
  GobanLeastSquares *fit;
  double weights[GOBAN_MOVE_N_FEATURES + 1];
  guint n; /* moves so far */
  double best;
  double successes[2]; /* of the network's and its own proposals: running means */
};

GobanMoveLearner *
goban_move_learner_new (double variance)
{
  GobanMoveLearner *self = g_new0 (GobanMoveLearner, 1);

  self->fit = goban_least_squares_new (GOBAN_MOVE_N_FEATURES, variance);
  self->best = FIRST_BEST;
  return self;
}

void
goban_move_learner_free (GobanMoveLearner *self)
{
  goban_least_squares_free (self->fit);
  g_free (self);
}

/* The best recent gain after a move. */
static double
get_next_best (const GobanMoveLearner *self, double gain)
{
  return MAX (MAX (self->best * KEPT, gain), LEAST_GAIN);
}

static double
get_target (double gain, double best)
{
  return sqrt (MAX (gain, 0) / best);
}

void
goban_move_learner_add (GobanMoveLearner *self, const float *x, double gain)
{
  self->n++;
  self->best = get_next_best (self, gain);
  goban_least_squares_add (self->fit, x, get_target (gain, self->best));
}

double
goban_move_learner_get_error (const GobanMoveLearner *self, const float *x, double gain)
{
  double error
      = get_target (gain, get_next_best (self, gain)) - goban_least_squares_predict (self->fit, x);

  return error * error;
}

guint
goban_move_learner_get_n (const GobanMoveLearner *self)
{
  return self->n;
}

double
goban_move_learner_score (const GobanMoveLearner *self, const float *x)
{
  return goban_least_squares_apply (self->weights, x, GOBAN_MOVE_N_FEATURES);
}

gboolean
goban_move_learner_draw_turn (const GobanMoveLearner *self, GobanRng *rng)
{
  double own = self->successes[1] + LEAST_SHARE;

  return goban_rng_uniform (rng) * (own + self->successes[0] + LEAST_SHARE) < own;
}

void
goban_move_learner_draw_weights (GobanMoveLearner *self, GobanRng *rng)
{
  goban_least_squares_draw (self->fit, NOISE, rng, self->weights);
}

void
goban_move_learner_use_means (GobanMoveLearner *self)
{
  memcpy (self->weights, goban_least_squares_get_weights (self->fit), sizeof self->weights);
}

void
goban_move_learner_note_turn (GobanMoveLearner *self, gboolean is_own, gboolean improves)
{
  double *success = &self->successes[is_own ? 1 : 0];

  *success += NEWEST_SHARE * ((improves ? 1 : 0) - *success);
}
