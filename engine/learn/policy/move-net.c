#include "engine/learn/policy/move-net.h"

#include <string.h>

static const GobanScorerNetKind kind = {
  .kind = GOBAN_MOVE_NET_KIND,
  .n_features = GOBAN_MOVE_N_FEATURES,
  .n_context = GOBAN_PROFILE_N,
};

GobanScorerNet *
goban_move_net_new (GobanRng *rng)
{
  return goban_scorer_net_new (&kind, rng);
}

GobanScorerNet *
goban_move_net_new_by_hand (void)
{
  GobanRng rng;
  GobanScorerNet *self;
  const GobanScorer *scorer;

  goban_rng_init (&rng, 0);
  self = goban_scorer_net_new (&kind, &rng);
  scorer = goban_scorer_net_get_scorer (self);
  memset (scorer->out, 0, GOBAN_SCORER_SECOND * sizeof (float));

  /* Hand-set weights: save transfers, speed up the critical path, delay no consumer, even out
   * loads, respect memory. */
  float *linear = scorer->linear;

  linear[GOBAN_MOVE_TRANSFERS] = -1;
  linear[GOBAN_MOVE_CRITICAL_SAVED] = 1;
  linear[GOBAN_MOVE_CRITICAL_ADDED] = -1;
  linear[GOBAN_MOVE_CRITICAL_WAIT] = 1;
  linear[GOBAN_MOVE_LATE_MOST] = -1;
  linear[GOBAN_MOVE_EARLIER] = 1;
  linear[GOBAN_MOVE_OVERFILL] = -0.5f;
  linear[GOBAN_MOVE_LOAD_GAP] = -1;
  linear[GOBAN_MOVE_NEAR_THERE] = 1;
  linear[GOBAN_MOVE_NEAR_HERE] = -1;
  linear[GOBAN_MOVE_SLOWNESS] = -1;
  linear[GOBAN_MOVE_MEMORY_SHORT] = -10;
  linear[GOBAN_MOVE_MEMORY_RELIEF] = 5;

  return self;
}

GobanScorerNet *
goban_move_net_load (const char *path, GError **error)
{
  return goban_scorer_net_load (&kind, path, error);
}

gboolean
goban_move_net_is_file (const char *path)
{
  return goban_scorer_net_find_kind (&kind, 1, path) != NULL;
}
