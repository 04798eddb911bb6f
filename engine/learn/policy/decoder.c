#include "engine/learn/policy/decoder-private.h"

#include <string.h>

#define H GOBAN_SCORER_HIDDEN
#define K GOBAN_SCORER_SECOND
#define M GOBAN_DECODER_MEMORY
#define WIDTH (H / GOBAN_DECODER_HEADS)

/* --- state ---------------------------------------------------------------------------------- */

void
goban_decoder_state_init (GobanDecoderState *self, guint n_devices)
{
  gsize size = (gsize) n_devices * H;

  *self = (GobanDecoderState){ .n_devices = n_devices,
                               .placed = g_new0 (float, size),
                               .tokens = g_new0 (float, size),
                               .active = g_new0 (float, size),
                               .attention = g_new0 (float, n_devices *GOBAN_DECODER_HEADS),
                               .ascending = g_new0 (guint, n_devices) };
}

void
goban_decoder_state_clear (GobanDecoderState *self)
{
  g_free (self->placed);
  g_free (self->tokens);
  g_free (self->active);
  g_free (self->attention);
  g_free (self->ascending);
}

void
goban_decoder_state_reset (GobanDecoderState *self)
{
  memset (self->placed, 0, (gsize) self->n_devices * H * sizeof *self->placed);
  memset (self->memory, 0, sizeof self->memory);
}

/* --- forward -------------------------------------------------------------------------------- */

/* attended (H) of the row's query, head by head. */
static inline void
attend (GobanDecoderState *state, const float *query, float *attended)
{
  guint D = state->n_devices;
  guint *ascending = state->ascending;

  memset (attended, 0, H * sizeof *attended);
  for (int h = 0; h < GOBAN_DECODER_HEADS; h++)
    {
      float *p = state->attention + (gsize) h * D;
      float sum = 0;
      float most;

      for (guint d = 0; d < D; d++)
        {
          const float *active = state->active + (gsize) d * H + h * WIDTH;
          guint j = d;
          float logit = 0;

          for (int k = 0; k < WIDTH; k++)
            logit += query[h * WIDTH + k] * active[k];
          p[d] = logit * GOBAN_DECODER_SCALE;
          for (; j > 0 && p[ascending[j - 1]] > p[d]; j--)
            ascending[j] = ascending[j - 1];
          ascending[j] = d;
        }
      most = p[ascending[D - 1]];
      for (guint i = 0; i < D; i++)
        sum += p[ascending[i]] = goban_exp_below (p[ascending[i]] - most);
      for (guint i = 0; i < D; i++)
        {
          const float *active = state->active + (gsize) ascending[i] * H + h * WIDTH;

          p[ascending[i]] /= sum;
          for (int k = 0; k < WIDTH; k++)
            attended[h * WIDTH + k] += p[ascending[i]] * active[k];
        }
    }
}

GOBAN_VECTOR void
goban_decoder_score (const GobanDecoder *self, GobanDecoderState *state, const GobanDecoderRow *row,
                     const float *x, const float *c, float *scores)
{
  const GobanScorer *scorer = &self->scorer;
  guint D = state->n_devices;
  int F = scorer->n_features;
  float common[H], attended[H], first[H], active[H], second[K];

  for (guint d = 0; d < D; d++)
    {
      float *token = state->tokens + (gsize) d * H;

      memcpy (token, state->placed + (gsize) d * H, H * sizeof *token);
      goban_scorer_add_product (token, x + (gsize) d * F, scorer->features, F, H);
      for (int j = 0; j < H; j++)
        state->active[(gsize) d * H + j] = goban_scorer_leaky (token[j]);
    }
  memcpy (common, row->vectors[GOBAN_ROW_HIDDEN], sizeof common);
  goban_scorer_add_product (common, c, scorer->context, scorer->n_context, H);
  if (self->attended != NULL)
    {
      attend (state, row->vectors[GOBAN_ROW_QUERY], attended);
      goban_scorer_add_product (common, attended, self->attended, H, H);
    }
  if (self->memory != NULL)
    goban_scorer_add_product (common, state->memory, self->memory, M, H);
  for (guint d = 0; d < D; d++)
    {
      const float *token = state->tokens + (gsize) d * H;

      for (int j = 0; j < H; j++)
        first[j] = common[j] + token[j];
      goban_scorer_run_second (scorer, first, active, second);
      scores[d] = goban_scorer_sum (scorer, second, x + (gsize) d * F);
    }
}

GOBAN_VECTOR void
goban_decoder_take (const GobanDecoder *self, GobanDecoderState *state, const GobanDecoderRow *row,
                    guint32 device)
{
  if (self->gates != NULL)
    {
      float u[2 * M];

      for (int j = 0; j < 2 * M; j++)
        u[j] = row->vectors[GOBAN_ROW_ACTION][j] + self->gates_bias[j];
      goban_scorer_add_product (u, state->active + (gsize) device * H, self->gates, H, 2 * M);
      for (int j = 0; j < M; j++)
        state->memory[j] += goban_sigmoid (u[j] - GOBAN_DECODER_CLOSED)
                            * (goban_tanh (u[M + j]) - state->memory[j]);
    }
  if (self->attended != NULL)
    for (int j = 0; j < H; j++)
      state->placed[(gsize) device * H + j] += row->share * row->vectors[GOBAN_ROW_PLACED][j];
}
