#include "engine/learn/policy/row-encoder-private.h"

#include "engine/learn/nn/scorer.h"

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

GobanDecoderParts
goban_row_encoder_get_parts (const GobanRowEncoder *self)
{
  return self->parts;
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
GobanRowEncoder *
goban_row_encoder_new (GobanDecoderParts parts, GobanParams *params)
{
  static const struct
  {
    const char *name;
    GobanInit init;
  } vectors[GOBAN_N_ROW_VECTORS] = { [GOBAN_ROW_HIDDEN] = { "row_hidden", GOBAN_INIT_ZEROS },
                                     [GOBAN_ROW_PLACED] = { "row_placed", GOBAN_INIT_ZEROS },
                                     [GOBAN_ROW_QUERY] = { "row_query", GOBAN_INIT_GLOROT },
                                     [GOBAN_ROW_ACTION] = { "row_action", GOBAN_INIT_GLOROT } };
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
