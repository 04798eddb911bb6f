#include "engine/learn/policy/row-encoder-private.h"

#include "engine/learn/nn/scorer.h"

#define WIDTH 16
#define N_SAGE 2
#define N_ATTENTION 1

const char *const goban_encoder_names[] = { "none", "sage", "attention", "full", NULL };
G_STATIC_ASSERT (G_N_ELEMENTS (goban_encoder_names) == GOBAN_N_ENCODERS + 1);

static GobanNetConfig
make_config (GobanEncoder encoder)
{
  return (GobanNetConfig){
    .width = WIDTH,
    .n_sage = N_SAGE,
    .is_directed = TRUE,
    .graph_embedding = TRUE,
    .n_attention = encoder >= GOBAN_ENCODER_ATTENTION ? N_ATTENTION : 0,
    .n_heads = 2,
    .ffn = 2 * WIDTH,
    .segment = 64,
    .modulation = encoder >= GOBAN_ENCODER_FULL,
    .n_iterations = 1,
  };
}

GobanRowEncoder *
goban_row_encoder_new (GobanEncoder encoder, GobanParams *params)
{
  GobanRowEncoder *self = g_new0 (GobanRowEncoder, 1);

  self->embedding
      = goban_params_add (params, "embedding", GOBAN_SCORER_HIDDEN, WIDTH, GOBAN_INIT_ZEROS);
  self->net.config = make_config (encoder);
  self->net.params = params;
  goban_net_add_trunk (&self->net.config, GOBAN_ENCODED_N, params, &self->net.tensors);
  return self;
}
