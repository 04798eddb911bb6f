#include "engine/learn/policy/builder-net.h"

#include "engine/learn/policy/partial-schedule.h"

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

static gpointer
add_sage (GobanParams *params)
{
  return goban_row_encoder_new (GOBAN_ENCODER_SAGE, params);
}

static gpointer
add_attention (GobanParams *params)
{
  return goban_row_encoder_new (GOBAN_ENCODER_ATTENTION, params);
}

static gpointer
add_full (GobanParams *params)
{
  return goban_row_encoder_new (GOBAN_ENCODER_FULL, params);
}

#define KIND(name, add)                                                                            \
  {                                                                                                \
    .kind = name, .n_features = GOBAN_CHOICE_N, .n_context = GOBAN_CONTEXT_N,                      \
    .set_rule = set_rule, .add_tensors = add                                                       \
  }

static const GobanScorerNetKind kinds[GOBAN_N_ENCODERS] = {
  [GOBAN_ENCODER_NONE] = KIND (GOBAN_BUILDER_NET_KIND, NULL),
  [GOBAN_ENCODER_SAGE] = KIND (GOBAN_BUILDER_NET_KIND "-sage", add_sage),
  [GOBAN_ENCODER_ATTENTION] = KIND (GOBAN_BUILDER_NET_KIND "-attention", add_attention),
  [GOBAN_ENCODER_FULL] = KIND (GOBAN_BUILDER_NET_KIND "-full", add_full),
};

GobanBuilderNet *
goban_builder_net_new (GobanRng *rng)
{
  return goban_builder_net_new_with (GOBAN_ENCODER_NONE, rng);
}

GobanBuilderNet *
goban_builder_net_new_with (GobanEncoder encoder, GobanRng *rng)
{
  return goban_scorer_net_new (&kinds[encoder], rng);
}

const GobanRowEncoder *
goban_builder_net_get_encoder (const GobanBuilderNet *net)
{
  return goban_scorer_net_get_more (net);
}

GobanBuilderNet *
goban_builder_net_load (const char *path, GError **error)
{
  const GobanScorerNetKind *kind = goban_scorer_net_find_kind (kinds, GOBAN_N_ENCODERS, path);

  /* The plain kind reports what else the file contains. */
  return goban_scorer_net_load (kind != NULL ? kind : &kinds[GOBAN_ENCODER_NONE], path, error);
}

gboolean
goban_builder_net_is_file (const char *path)
{
  return goban_scorer_net_find_kind (kinds, GOBAN_N_ENCODERS, path) != NULL;
}
