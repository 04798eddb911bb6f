#include "engine/policy/builder-net.h"

#include "engine/policy/partial-schedule.h"

/* Initial rule: prefer the device with the earliest start, cheap transfers and the row's
 * neighbours. */
static void
set_rule (float *linear)
{
  linear[GOBAN_CHOICE_LATE_START] = -4;
  linear[GOBAN_CHOICE_MOVING] = -2;
  linear[GOBAN_CHOICE_LOAD_OVER_MEAN] = -1;
  linear[GOBAN_CHOICE_MEMORY_SHORT] = -5;
  linear[GOBAN_CHOICE_WALKS + 1] = 2;
  linear[GOBAN_CHOICE_WALKS + 2] = 1;
  linear[GOBAN_CHOICE_SLOWNESS] = -1;
}

static const GobanScorerNetKind kind = {
  .kind = GOBAN_BUILDER_NET_KIND,
  .n_features = GOBAN_CHOICE_N,
  .n_context = GOBAN_CONTEXT_N,
  .set_rule = set_rule,
};

GobanBuilderNet *
goban_builder_net_new (GobanRng *rng)
{
  return goban_scorer_net_new (&kind, rng);
}

GobanBuilderNet *
goban_builder_net_load (const char *path, GError **error)
{
  return goban_scorer_net_load (&kind, path, error);
}

gboolean
goban_builder_net_is_file (const char *path)
{
  return goban_scorer_net_is_file (&kind, path);
}
