#include "engine/learn/policy/builder-net.h"

#include "engine/learn/nn/scorer.h"
#include "engine/learn/policy/plan-builder.h"

#define WIDTH 32
#define N_SAGE 2
#define N_ATTENTION 1
/* Graphs are cut into 40 to 256 rows. */
#define SEGMENT 16

#define H GOBAN_SCORER_HIDDEN
#define M GOBAN_DECODER_MEMORY

const char *const goban_decoder_part_names[]
    = { "embedding", "attention", "modulation", "devices", "actions", NULL };

static GobanNetConfig
make_config (GobanDecoderParts parts)
{
  gboolean has_graph = (parts & GOBAN_PART_EMBEDDING) != 0;

  return (GobanNetConfig){
    .width = WIDTH,
    .n_sage = has_graph ? N_SAGE : 0,
    .is_directed = TRUE,
    .graph_embedding = has_graph,
    .n_attention = parts & GOBAN_PART_ATTENTION ? N_ATTENTION : 0,
    .n_heads = 2,
    .ffn = 2 * WIDTH,
    .segment = SEGMENT,
    .modulation = (parts & GOBAN_PART_MODULATION) != 0,
    .n_iterations = 1,
  };
}

guint
goban_row_encoder_get_width (const GobanRowEncoder *self, GobanRowVector vector)
{
  switch (vector)
    {
    case GOBAN_ROW_HIDDEN:
      return H;
    case GOBAN_ROW_PLACED:
    case GOBAN_ROW_QUERY:
      return self->parts & GOBAN_PART_DEVICES ? H : 0;
    case GOBAN_ROW_ACTION:
      return self->parts & GOBAN_PART_ACTIONS ? 2 * M : 0;
    case GOBAN_N_ROW_VECTORS:
      break;
    }
  g_assert_not_reached ();
}

/* A part begins without influence on the scores: the last matrix on its way there is 0. */
static gpointer
add_parts (const GobanScorerNetKind *kind, GobanParams *params)
{
  static const struct
  {
    const char *name;
    GobanInit init;
  } vectors[GOBAN_N_ROW_VECTORS] = { [GOBAN_ROW_HIDDEN] = { "row_hidden", GOBAN_INIT_ZEROS },
                                     [GOBAN_ROW_PLACED] = { "row_placed", GOBAN_INIT_ZEROS },
                                     [GOBAN_ROW_QUERY] = { "row_query", GOBAN_INIT_GLOROT },
                                     [GOBAN_ROW_ACTION] = { "row_action", GOBAN_INIT_GLOROT } };
  GobanDecoderParts parts = (GobanDecoderParts) kind->parts;
  GobanRowEncoder *self = g_new0 (GobanRowEncoder, 1);

  self->parts = parts;
  for (guint k = 0; k < GOBAN_N_ROW_VECTORS; k++)
    if (goban_row_encoder_get_width (self, k) > 0)
      self->vectors[k] = goban_params_add (
          params, vectors[k].name, goban_row_encoder_get_width (self, k), WIDTH, vectors[k].init);
  if (parts & GOBAN_PART_DEVICES)
    self->attended = goban_params_add (params, "attended", H, H, GOBAN_INIT_ZEROS);
  if (parts & GOBAN_PART_ACTIONS)
    {
      self->gates = goban_params_add (params, "gates", H, 2 * M, GOBAN_INIT_GLOROT);
      self->gates_bias = goban_params_add (params, "gates_bias", 1, 2 * M, GOBAN_INIT_ZEROS);
      self->memory = goban_params_add (params, "memory", M, H, GOBAN_INIT_ZEROS);
    }
  self->net.config = make_config (parts);
  self->net.params = params;
  goban_net_add_trunk (&self->net.config, GOBAN_ENCODED_N, params, &self->net.tensors);
  return self;
}

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
  return net->more;
}

static GobanDecoder
point_at (const GobanBuilderNet *net, const GobanScorer *scorer,
          float *(*get) (const GobanParams *, guint))
{
  const GobanRowEncoder *encoder = goban_builder_net_get_encoder (net);
  const GobanParams *params = net->params;
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
  return point_at (net, &net->scorer, goban_params_value);
}

GobanDecoder
goban_builder_net_get_gradients (GobanBuilderNet *net)
{
  return point_at (net, &net->gradients, goban_params_grad);
}

GobanBuilderNet *
goban_builder_net_load (const char *path, GError **error)
{
  const GobanScorerNetKind *kinds = get_kinds ();
  const GobanScorerNetKind *kind = goban_scorer_net_find_kind (kinds, GOBAN_ALL_PARTS + 1, path);

  /* The plain kind reports what else the file contains. */
  return goban_scorer_net_load (kind != NULL ? kind : &kinds[0], path, error);
}
