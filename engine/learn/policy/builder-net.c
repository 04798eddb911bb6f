#include "engine/learn/policy/builder-net.h"

#include "engine/learn/policy/partial-schedule.h"
#include "engine/learn/policy/row-encoder-private.h"

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
add_parts (const GobanScorerNetKind *kind, GobanParams *params)
{
  return goban_row_encoder_new ((GobanDecoderParts) kind->parts, params);
}

/* "builder", "builder+embedding+attention", ...: by the bits of the parts. */
static const GobanScorerNetKind *
get_kinds (void)
{
  static GobanScorerNetKind kinds[GOBAN_ALL_PARTS + 1];
  static gsize is_ready;

  if (!g_once_init_enter (&is_ready))
    return kinds;
  for (guint parts = 0; parts <= GOBAN_ALL_PARTS; parts++)
    {
      GString *name = g_string_new (GOBAN_BUILDER_NET_KIND);

      for (guint i = 0; goban_decoder_part_names[i] != NULL; i++)
        if (parts & 1U << i)
          g_string_append_printf (name, "+%s", goban_decoder_part_names[i]);
      kinds[parts] = (GobanScorerNetKind){ .kind = g_intern_string (name->str),
                                           .n_features = GOBAN_CHOICE_N,
                                           .n_context = GOBAN_CONTEXT_N,
                                           .set_rule = set_rule,
                                           .add_tensors = parts != 0 ? add_parts : NULL,
                                           .parts = parts };
      g_string_free (name, TRUE);
    }
  g_once_init_leave (&is_ready, 1);
  return kinds;
}

GobanBuilderNet *
goban_builder_net_new (GobanDecoderParts parts, GobanRng *rng)
{
  return goban_scorer_net_new (&get_kinds ()[parts], rng);
}

const GobanRowEncoder *
goban_builder_net_get_encoder (const GobanBuilderNet *net)
{
  return goban_scorer_net_get_more (net);
}

static GobanDecoder
point_at (const GobanBuilderNet *net, const GobanScorer *scorer,
          float *(*get) (const GobanParams *, guint))
{
  const GobanRowEncoder *encoder = goban_builder_net_get_encoder (net);
  const GobanParams *params = goban_scorer_net_get_params (net);
  GobanDecoder self = { .scorer = *scorer };

  if (encoder != NULL && encoder->parts & GOBAN_PART_DEVICES)
    self.attended = get (params, encoder->attended);
  if (encoder != NULL && encoder->parts & GOBAN_PART_ACTIONS)
    {
      self.gates = get (params, encoder->gates);
      self.gates_bias = get (params, encoder->gates_bias);
      self.memory = get (params, encoder->memory);
    }
  return self;
}

GobanDecoder
goban_builder_net_get_decoder (const GobanBuilderNet *net)
{
  return point_at (net, goban_scorer_net_get_scorer (net), goban_params_value);
}

GobanDecoder
goban_builder_net_get_gradients (GobanBuilderNet *net)
{
  return point_at (net, goban_scorer_net_get_gradients (net), goban_params_grad);
}

GobanBuilderNet *
goban_builder_net_load (const char *path, GError **error)
{
  const GobanScorerNetKind *kinds = get_kinds ();
  const GobanScorerNetKind *kind = goban_scorer_net_find_kind (kinds, GOBAN_ALL_PARTS + 1, path);

  /* The plain kind reports what else the file contains. */
  return goban_scorer_net_load (kind != NULL ? kind : &kinds[0], path, error);
}

gboolean
goban_builder_net_is_file (const char *path)
{
  return goban_scorer_net_find_kind (get_kinds (), GOBAN_ALL_PARTS + 1, path) != NULL;
}
