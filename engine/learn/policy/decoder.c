#include "engine/learn/policy/decoder.h"

#include "engine/core/arrays.h"
#include "engine/learn/nn/linear.h"
#include "engine/learn/nn/scorer.h"
#include "engine/learn/nn/vector.h"

#include <string.h>

/* Gates are almost closed at first, so that the state remembers many actions. */
#define CLOSED 2.0f
/* 1 / sqrt (k), k = H / heads = 16 */
#define SCALE 0.25f
G_STATIC_ASSERT (GOBAN_SCORER_HIDDEN / GOBAN_DECODER_HEADS == 16);

#define H GOBAN_SCORER_HIDDEN
#define K GOBAN_SCORER_SECOND
#define M GOBAN_DECODER_MEMORY
#define WIDTH (H / GOBAN_DECODER_HEADS)

/* --- state ---------------------------------------------------------------------------------- */

void
goban_decoder_state_init (GobanDecoderState *self, guint n_devices)
{
  gsize size = (gsize) n_devices * H;

  *self = (GobanDecoderState){ .n_devices = n_devices, .arrays = goban_arrays_new () };
  self->placed = goban_own (self, float, size);
  self->tokens = goban_own (self, float, size);
  self->active = goban_own (self, float, size);
  self->attention = goban_own (self, float, n_devices *GOBAN_DECODER_HEADS);
  self->ascending = goban_own (self, guint, n_devices);
}

void
goban_decoder_state_clear (GobanDecoderState *self)
{
  g_ptr_array_unref (self->arrays);
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
          p[d] = logit * SCALE;
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
        state->memory[j]
            += goban_sigmoid (u[j] - CLOSED) * (goban_tanh (u[M + j]) - state->memory[j]);
    }
  if (self->attended != NULL)
    for (int j = 0; j < H; j++)
      state->placed[(gsize) device * H + j] += row->share * row->vectors[GOBAN_ROW_PLACED][j];
}

#define HEADS GOBAN_DECODER_HEADS

/* --- all decisions of some plans at once ------------------------------------------------------ */

/* Scores from the recorded features and actions, and their gradients. Products are of whole
 * matrices; only the sums over earlier decisions run one decision after another. */
#define LINE_BYTES 64

/* Floats that an array of n takes. */
static inline gsize
round_up (gsize n)
{
  const gsize line = LINE_BYTES / sizeof (float);

  return (n + line - 1) / line * line;
}

/* n decisions, ND = n D. */
typedef struct
{
  const GobanDecoder *decoder;
  GobanDecoder *gradients;
  const GobanDecoderBatch *batch;
  int n, D, ND;
  float *token, *dtoken;   /* (ND,H) t */
  float *active, *dactive; /* (ND,H) g (t) */
  float *common, *dcommon; /* (n,H) what the hidden layers of a decision share */
  float *first, *second;   /* (ND,H), (ND,K) sums of the scorer's layers before g */
  float *hidden, *dsecond; /* (ND,H) g (first), (ND,K) */
  float *attention;        /* (n,HEADS,D) */
  float *attended;         /* (n,H) o */
  float *dattended;        /* (n,H) */
  float *chosen, *dchosen; /* (n,H) g (t) of the chosen devices */
  float *u, *du;           /* (n,2 M) */
  float *memory;           /* (n,M) m before the decision */
  float *dmemory;          /* (n,M) */
  float *z, *new_memory;   /* (n,M) */
} Batch;

/* Memory of a thread that is kept for its next gradient: fresh pages take longer than what is
 * computed in them. */
typedef struct
{
  float *floats;
  gsize size, used;
} Room;

static void
room_free (gpointer data)
{
  Room *self = data;

  g_aligned_free (self->floats);
  g_free (self);
}

static Room *
get_room (gsize size)
{
  static GPrivate own = G_PRIVATE_INIT (room_free);
  Room *self = g_private_get (&own);

  if (self == NULL)
    {
      self = g_new0 (Room, 1);
      g_private_set (&own, self);
    }
  if (size > self->size)
    {
      g_aligned_free (self->floats);
      self->floats = g_aligned_alloc (size, sizeof *self->floats, LINE_BYTES);
      self->size = size;
    }
  self->used = 0;
  return self;
}

/* Zeroed. */
static float *
reserve (Room *self, gsize n)
{
  float *array = self->floats + self->used;

  self->used += round_up (n);
  g_assert (self->used <= self->size);
  memset (array, 0, n * sizeof *array);
  return array;
}

static const float *
get_vector (const Batch *self, GobanRowVector vector, int i, int width)
{
  return self->batch->vectors[vector] + (gsize) self->batch->rows[i] * width;
}

static float *
get_dvector (const Batch *self, GobanRowVector vector, int i, int width)
{
  return self->batch->dvectors[vector] + (gsize) self->batch->rows[i] * width;
}

/* token (ND,H) = x Wx + the sums over the rows that were placed before. */
GOBAN_VECTOR static void
make_tokens (Batch *self)
{
  const GobanScorer *scorer = &self->decoder->scorer;
  const GobanDecoderBatch *batch = self->batch;
  g_autofree float *placed = g_new0 (float, (gsize) self->D *H);
  gsize size = (gsize) self->D * H;
  int i = 0;

  for (guint plan = 0; plan < batch->n_plans && self->decoder->attended != NULL; plan++)
    {
      memset (placed, 0, size * sizeof *placed);
      for (; i < (int) batch->ends[plan]; i++)
        {
          const float *vector = get_vector (self, GOBAN_ROW_PLACED, i, H);
          float share = batch->shares[batch->rows[i]];

          memcpy (self->token + (gsize) i * size, placed, size * sizeof *placed);
          for (int j = 0; j < H; j++)
            placed[(gsize) batch->actions[i] * H + j] += share * vector[j];
        }
    }
  goban_gemm_nn (self->token, batch->x, scorer->features, self->ND, H, scorer->n_features);
  for (gsize j = 0; j < (gsize) self->ND * H; j++)
    self->active[j] = goban_scorer_leaky (self->token[j]);
}

GOBAN_VECTOR static void
attend_all (Batch *self)
{
  for (int i = 0; i < self->n; i++)
    for (int h = 0; h < HEADS; h++)
      {
        const float *query = get_vector (self, GOBAN_ROW_QUERY, i, H) + h * WIDTH;
        const float *active = self->active + (gsize) i * self->D * H + h * WIDTH;
        float *p = self->attention + ((gsize) i * HEADS + h) * self->D;
        float *attended = self->attended + (gsize) i * H + h * WIDTH;
        float most = -INFINITY, sum = 0;

        for (int d = 0; d < self->D; d++)
          {
            p[d] = 0;
            for (int k = 0; k < WIDTH; k++)
              p[d] += query[k] * active[(gsize) d * H + k];
            p[d] *= SCALE;
            most = MAX (most, p[d]);
          }
        for (int d = 0; d < self->D; d++)
          sum += p[d] = goban_exp_below (p[d] - most);
        for (int d = 0; d < self->D; d++)
          {
            p[d] /= sum;
            for (int k = 0; k < WIDTH; k++)
              attended[k] += p[d] * active[(gsize) d * H + k];
          }
      }
}

static void
gather_chosen (const Batch *self)
{
  for (int i = 0; i < self->n; i++)
    memcpy (self->chosen + (gsize) i * H,
            self->active + ((gsize) i * self->D + self->batch->actions[i]) * H,
            H * sizeof *self->chosen);
}

GOBAN_VECTOR static void
remember (Batch *self)
{
  float *u = self->u;
  int i = 0;

  for (int k = 0; k < self->n; k++)
    {
      const float *vector = get_vector (self, GOBAN_ROW_ACTION, k, 2 * M);

      for (int j = 0; j < 2 * M; j++)
        u[(gsize) k * 2 * M + j] = vector[j] + self->decoder->gates_bias[j];
    }
  goban_gemm_nn (u, self->chosen, self->decoder->gates, self->n, 2 * M, H);
  for (guint plan = 0; plan < self->batch->n_plans; plan++)
    {
      float memory[M] = { 0 };

      for (; i < (int) self->batch->ends[plan]; i++)
        for (int j = 0; j < M; j++)
          {
            gsize at = (gsize) i * M + j;

            self->memory[at] = memory[j];
            self->z[at] = goban_sigmoid (u[(gsize) i * 2 * M + j] - CLOSED);
            self->new_memory[at] = goban_tanh (u[(gsize) i * 2 * M + M + j]);
            memory[j] += self->z[at] * (self->new_memory[at] - memory[j]);
          }
    }
}

/* second (ND,K): the sums from which the scores follow. */
GOBAN_VECTOR static void
run_layers (Batch *self)
{
  const GobanDecoder *decoder = self->decoder;
  const GobanScorer *scorer = &decoder->scorer;

  for (int i = 0; i < self->n; i++)
    memcpy (self->common + (gsize) i * H,
            self->batch->shares != NULL ? get_vector (self, GOBAN_ROW_HIDDEN, i, H)
                                        : self->batch->vectors[GOBAN_ROW_HIDDEN],
            H * sizeof *self->common);
  goban_gemm_nn (self->common, self->batch->c, scorer->context, self->n, H, scorer->n_context);
  if (decoder->attended != NULL)
    goban_gemm_nn (self->common, self->attended, decoder->attended, self->n, H, H);
  if (decoder->memory != NULL)
    goban_gemm_nn (self->common, self->memory, decoder->memory, self->n, H, M);
  for (int k = 0; k < self->ND; k++)
    {
      const float *common = self->common + (gsize) (k / self->D) * H;
      gsize at = (gsize) k * H;

      for (int j = 0; j < H; j++)
        {
          self->first[at + j] = self->token[at + j] + common[j];
          self->hidden[at + j] = goban_scorer_leaky (self->first[at + j]);
        }
      memcpy (self->second + (gsize) k * K, scorer->second_bias, K * sizeof *self->second);
    }
  goban_gemm_nn (self->second, self->hidden, scorer->second, self->ND, K, H);
}

/* --- and back --------------------------------------------------------------------------------- */

/* From the scores to the tokens and what they share. */
GOBAN_VECTOR static void
score_backward (Batch *self)
{
  const GobanScorer *scorer = &self->decoder->scorer;
  GobanScorer *gradients = &self->gradients->scorer;
  const float *dscores = self->batch->dscores;
  float *active = self->hidden, *dsecond = self->dsecond;

  for (int k = 0; k < self->ND; k++)
    for (int j = 0; j < K; j++)
      {
        gsize at = (gsize) k * K + j;

        gradients->out[j] += dscores[k] * goban_scorer_leaky (self->second[at]);
        dsecond[at] = dscores[k] * scorer->out[j] * goban_scorer_slope (self->second[at]);
        gradients->second_bias[j] += dsecond[at];
      }
  goban_gemm_tn (gradients->linear, self->batch->x, dscores, scorer->n_features, 1, self->ND);
  goban_gemm_tn (gradients->second, active, dsecond, H, K, self->ND);
  goban_gemm_nt (self->dtoken, dsecond, scorer->second, self->ND, H, K);
  for (int k = 0; k < self->ND; k++)
    {
      float *dcommon = self->dcommon + (gsize) (k / self->D) * H;
      gsize at = (gsize) k * H;

      for (int j = 0; j < H; j++)
        {
          self->dtoken[at + j] *= goban_scorer_slope (self->first[at + j]);
          dcommon[j] += self->dtoken[at + j];
        }
    }
}

static void
common_backward (Batch *self)
{
  const GobanScorer *scorer = &self->decoder->scorer;

  goban_gemm_tn (self->gradients->scorer.context, self->batch->c, self->dcommon, scorer->n_context,
                 H, self->n);
  for (int i = 0; i < self->n; i++)
    {
      float *dhidden = self->batch->shares != NULL ? get_dvector (self, GOBAN_ROW_HIDDEN, i, H)
                                                   : self->batch->dvectors[GOBAN_ROW_HIDDEN];

      for (int j = 0; j < H; j++)
        dhidden[j] += self->dcommon[(gsize) i * H + j];
    }
}

GOBAN_VECTOR static void
attend_backward (Batch *self)
{
  float *dattended = self->dattended;
  g_autofree float *dp = g_new (float, self->D);

  goban_gemm_tn (self->gradients->attended, self->attended, self->dcommon, H, H, self->n);
  goban_gemm_nt (dattended, self->dcommon, self->decoder->attended, self->n, H, H);
  for (int i = 0; i < self->n; i++)
    for (int h = 0; h < HEADS; h++)
      {
        const float *query = get_vector (self, GOBAN_ROW_QUERY, i, H) + h * WIDTH;
        float *dquery = get_dvector (self, GOBAN_ROW_QUERY, i, H) + h * WIDTH;
        const float *p = self->attention + ((gsize) i * HEADS + h) * self->D;
        const float *dout = dattended + (gsize) i * H + h * WIDTH;
        gsize at = (gsize) i * self->D * H + h * WIDTH;
        float mean = 0;

        for (int d = 0; d < self->D; d++)
          {
            dp[d] = 0;
            for (int k = 0; k < WIDTH; k++)
              dp[d] += dout[k] * self->active[at + (gsize) d * H + k];
            mean += p[d] * dp[d];
          }
        for (int d = 0; d < self->D; d++)
          {
            float dlogit = p[d] * (dp[d] - mean) * SCALE;

            for (int k = 0; k < WIDTH; k++)
              {
                gsize of_token = at + (gsize) d * H + k;

                self->dactive[of_token] += p[d] * dout[k] + dlogit * query[k];
                dquery[k] += dlogit * self->active[of_token];
              }
          }
      }
}

/* forward: m' = m + z (n - m) */
GOBAN_VECTOR static void
remember_backward (Batch *self)
{
  float *dmemory = self->dmemory, *du = self->du, *dchosen = self->dchosen;
  GobanDecoder *gradients = self->gradients;

  goban_gemm_tn (gradients->memory, self->memory, self->dcommon, M, H, self->n);
  goban_gemm_nt (dmemory, self->dcommon, self->decoder->memory, self->n, M, H);
  for (guint plan = 0; plan < self->batch->n_plans; plan++)
    {
      int first = plan > 0 ? (int) self->batch->ends[plan - 1] : 0;
      float later[M] = { 0 };

      for (int i = (int) self->batch->ends[plan] - 1; i >= first; i--)
        for (int j = 0; j < M; j++)
          {
            gsize at = (gsize) i * M + j;
            float z = self->z[at], n = self->new_memory[at];

            du[(gsize) i * 2 * M + j] = later[j] * (n - self->memory[at]) * z * (1 - z);
            du[(gsize) i * 2 * M + M + j] = later[j] * z * (1 - n * n);
            later[j] = later[j] * (1 - z) + dmemory[at];
          }
    }
  goban_gemm_tn (gradients->gates, self->chosen, du, H, 2 * M, self->n);
  goban_gemm_nt (dchosen, du, self->decoder->gates, self->n, H, 2 * M);
  for (int i = 0; i < self->n; i++)
    {
      float *daction = get_dvector (self, GOBAN_ROW_ACTION, i, 2 * M);
      float *dactive = self->dactive + ((gsize) i * self->D + self->batch->actions[i]) * H;

      for (int j = 0; j < 2 * M; j++)
        {
          daction[j] += du[(gsize) i * 2 * M + j];
          gradients->gates_bias[j] += du[(gsize) i * 2 * M + j];
        }
      for (int j = 0; j < H; j++)
        dactive[j] += dchosen[(gsize) i * H + j];
    }
}

/* A row that was placed is part of the tokens of all later decisions of its plan. */
GOBAN_VECTOR static void
tokens_backward (Batch *self)
{
  const GobanDecoderBatch *batch = self->batch;
  g_autofree float *later = g_new (float, (gsize) self->D *H);
  gsize size = (gsize) self->D * H;

  for (gsize j = 0; j < (gsize) self->ND * H; j++)
    self->dtoken[j] += self->dactive[j] * goban_scorer_slope (self->token[j]);
  goban_gemm_tn (self->gradients->scorer.features, batch->x, self->dtoken,
                 self->decoder->scorer.n_features, H, self->ND);
  for (guint plan = 0; plan < batch->n_plans && self->decoder->attended != NULL; plan++)
    {
      int first = plan > 0 ? (int) batch->ends[plan - 1] : 0;

      memset (later, 0, size * sizeof *later);
      for (int i = (int) batch->ends[plan] - 1; i >= first; i--)
        {
          float *dplaced = get_dvector (self, GOBAN_ROW_PLACED, i, H);
          float share = batch->shares[batch->rows[i]];

          for (int j = 0; j < H; j++)
            dplaced[j] += share * later[(gsize) batch->actions[i] * H + j];
          for (gsize j = 0; j < size; j++)
            later[j] += self->dtoken[(gsize) i * size + j];
        }
    }
}

/* --- both ------------------------------------------------------------------------------------- */

/* Makes the batch and runs it forward. gradients: (nullable): without them there is no way back. */
static Batch
run (const GobanDecoder *self, GobanDecoder *gradients, const GobanDecoderBatch *given)
{
  int n = given->n_plans > 0 ? (int) given->ends[given->n_plans - 1] : 0;
  int D = given->n_devices, ND = n * D;
  gsize by_token = (gsize) ND * H, by_decision = (gsize) n * H, by_memory = (gsize) n * M;
  Room *room = get_room (6 * round_up (by_token) + 2 * round_up ((gsize) ND * K)
                         + round_up ((gsize) ND * HEADS) + 6 * round_up (by_decision)
                         + 4 * round_up (by_memory) + 2 * round_up (2 * by_memory));
  Batch batch = { .decoder = self,
                  .gradients = gradients,
                  .batch = given,
                  .n = n,
                  .D = D,
                  .ND = ND,
                  .token = reserve (room, by_token),
                  .active = reserve (room, by_token),
                  .common = reserve (room, by_decision),
                  .first = reserve (room, by_token),
                  .second = reserve (room, (gsize) ND * K),
                  .hidden = reserve (room, by_token),
                  .attention = reserve (room, (gsize) ND * HEADS),
                  .attended = reserve (room, by_decision),
                  .chosen = reserve (room, by_decision),
                  .u = reserve (room, 2 * by_memory),
                  .memory = reserve (room, by_memory),
                  .z = reserve (room, by_memory),
                  .new_memory = reserve (room, by_memory) };

  if (gradients != NULL)
    {
      batch.dtoken = reserve (room, by_token);
      batch.dactive = reserve (room, by_token);
      batch.dcommon = reserve (room, by_decision);
      batch.dsecond = reserve (room, (gsize) ND * K);
      batch.dattended = reserve (room, by_decision);
      batch.dchosen = reserve (room, by_decision);
      batch.du = reserve (room, 2 * by_memory);
      batch.dmemory = reserve (room, by_memory);
    }
  make_tokens (&batch);
  if (self->attended != NULL)
    attend_all (&batch);
  if (self->memory != NULL)
    {
      gather_chosen (&batch);
      remember (&batch);
    }
  run_layers (&batch);
  return batch;
}

GOBAN_VECTOR void
goban_decoder_score_all (const GobanDecoder *self, const GobanDecoderBatch *given, float *scores)
{
  Batch batch = run (self, NULL, given);
  const GobanScorer *scorer = &self->scorer;

  for (int k = 0; k < batch.ND; k++)
    scores[k] = goban_scorer_sum (scorer, batch.second + (gsize) k * K,
                                  given->x + (gsize) k * scorer->n_features);
}

void
goban_decoder_backward (const GobanDecoder *self, GobanDecoder *gradients,
                        const GobanDecoderBatch *given)
{
  Batch batch = run (self, gradients, given);

  score_backward (&batch);
  common_backward (&batch);
  if (self->attended != NULL)
    attend_backward (&batch);
  if (self->memory != NULL)
    remember_backward (&batch);
  tokens_backward (&batch);
}
