/* Gradients of the decoder: all decisions of some plans at once. The forward computation is made
 * again from the recorded features and actions, in products of whole matrices; only the sums over
 * earlier decisions run one decision after another. */
#include "engine/learn/nn/gemm.h"
#include "engine/learn/policy/decoder-private.h"

#include <string.h>

#define H GOBAN_SCORER_HIDDEN
#define K GOBAN_SCORER_SECOND
#define M GOBAN_DECODER_MEMORY
#define HEADS GOBAN_DECODER_HEADS
#define WIDTH (H / HEADS)

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
  float *attention;        /* (n,HEADS,D) */
  float *attended;         /* (n,H) o */
  float *memory;           /* (n,M) m before the decision */
  float *z, *new_memory;   /* (n,M) */
} Batch;

/* Borrowed by the batch: freed together. */
typedef struct
{
  GPtrArray *arrays;
} Room;

static float *
reserve (Room *self, gsize n)
{
  float *array = g_new0 (float, n + 1);

  g_ptr_array_add (self->arrays, array);
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

/* --- forward -------------------------------------------------------------------------------- */

/* token (ND,H) = x Wx + the sums over the rows that were placed before. */
static void
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
    self->active[j] = goban_decoder_leaky (self->token[j]);
}

static void
attend (Batch *self)
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
            p[d] *= GOBAN_DECODER_SCALE;
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

/* g (t) of the chosen devices: (n,H). */
static void
gather_chosen (const Batch *self, float *chosen)
{
  for (int i = 0; i < self->n; i++)
    memcpy (chosen + (gsize) i * H,
            self->active + ((gsize) i * self->D + self->batch->actions[i]) * H,
            H * sizeof *chosen);
}

static void
remember (Batch *self, const float *chosen)
{
  g_autofree float *u = g_new (float, (gsize) self->n * 2 * M + 1);
  int i = 0;

  for (int k = 0; k < self->n; k++)
    {
      const float *vector = get_vector (self, GOBAN_ROW_ACTION, k, 2 * M);

      for (int j = 0; j < 2 * M; j++)
        u[(gsize) k * 2 * M + j] = vector[j] + self->decoder->gates_bias[j];
    }
  goban_gemm_nn (u, chosen, self->decoder->gates, self->n, 2 * M, H);
  for (guint plan = 0; plan < self->batch->n_plans; plan++)
    {
      float memory[M] = { 0 };

      for (; i < (int) self->batch->ends[plan]; i++)
        for (int j = 0; j < M; j++)
          {
            gsize at = (gsize) i * M + j;

            self->memory[at] = memory[j];
            self->z[at] = goban_sigmoid (u[(gsize) i * 2 * M + j] - GOBAN_DECODER_CLOSED);
            self->new_memory[at] = goban_tanh (u[(gsize) i * 2 * M + M + j]);
            memory[j] += self->z[at] * (self->new_memory[at] - memory[j]);
          }
    }
}

static void
score (Batch *self)
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
      for (int j = 0; j < H; j++)
        self->first[(gsize) k * H + j]
            = self->token[(gsize) k * H + j] + self->common[(gsize) (k / self->D) * H + j];
      memcpy (self->second + (gsize) k * K, scorer->second_bias, K * sizeof *self->second);
    }
}

/* --- back ----------------------------------------------------------------------------------- */

/* From the scores to the tokens and what they share. */
static void
score_backward (Batch *self)
{
  const GobanScorer *scorer = &self->decoder->scorer;
  GobanScorer *gradients = &self->gradients->scorer;
  const float *dscores = self->batch->dscores;
  g_autofree float *active = g_new (float, (gsize) self->ND *H + 1);
  g_autofree float *dsecond = g_new (float, (gsize) self->ND *K + 1);

  for (gsize j = 0; j < (gsize) self->ND * H; j++)
    active[j] = goban_decoder_leaky (self->first[j]);
  goban_gemm_nn (self->second, active, scorer->second, self->ND, K, H);
  for (int k = 0; k < self->ND; k++)
    for (int j = 0; j < K; j++)
      {
        gsize at = (gsize) k * K + j;

        gradients->out[j] += dscores[k] * goban_decoder_leaky (self->second[at]);
        dsecond[at] = dscores[k] * scorer->out[j] * goban_decoder_slope (self->second[at]);
        gradients->second_bias[j] += dsecond[at];
      }
  goban_gemm_tn (gradients->linear, self->batch->x, dscores, scorer->n_features, 1, self->ND);
  goban_gemm_tn (gradients->second, active, dsecond, H, K, self->ND);
  goban_gemm_nt (self->dtoken, dsecond, scorer->second, self->ND, H, K);
  for (int k = 0; k < self->ND; k++)
    for (int j = 0; j < H; j++)
      {
        gsize at = (gsize) k * H + j;

        self->dtoken[at] *= goban_decoder_slope (self->first[at]);
        self->dcommon[(gsize) (k / self->D) * H + j] += self->dtoken[at];
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

static void
attend_backward (Batch *self)
{
  g_autofree float *dattended = g_new0 (float, (gsize) self->n *H + 1);
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
            float dlogit = p[d] * (dp[d] - mean) * GOBAN_DECODER_SCALE;

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
static void
remember_backward (Batch *self, const float *chosen)
{
  g_autofree float *dmemory = g_new0 (float, (gsize) self->n *M + 1);
  g_autofree float *du = g_new (float, (gsize) self->n * 2 * M + 1);
  g_autofree float *dchosen = g_new0 (float, (gsize) self->n *H + 1);
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
  goban_gemm_tn (gradients->gates, chosen, du, H, 2 * M, self->n);
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
static void
tokens_backward (Batch *self)
{
  const GobanDecoderBatch *batch = self->batch;
  g_autofree float *later = g_new (float, (gsize) self->D *H);
  gsize size = (gsize) self->D * H;

  for (gsize j = 0; j < (gsize) self->ND * H; j++)
    self->dtoken[j] += self->dactive[j] * goban_decoder_slope (self->token[j]);
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

/* --- all of it ------------------------------------------------------------------------------ */

void
goban_decoder_backward (const GobanDecoder *self, GobanDecoder *gradients,
                        const GobanDecoderBatch *given)
{
  int n = given->n_plans > 0 ? (int) given->ends[given->n_plans - 1] : 0;
  int D = given->n_devices, ND = n * D;
  Room room = { g_ptr_array_new_with_free_func (g_free) };
  gsize by_token = (gsize) ND * H, by_decision = (gsize) n * H, by_memory = (gsize) n * M;
  Batch batch = { .decoder = self,
                  .gradients = gradients,
                  .batch = given,
                  .n = n,
                  .D = D,
                  .ND = ND,
                  .token = reserve (&room, by_token),
                  .dtoken = reserve (&room, by_token),
                  .active = reserve (&room, by_token),
                  .dactive = reserve (&room, by_token),
                  .common = reserve (&room, by_decision),
                  .dcommon = reserve (&room, by_decision),
                  .first = reserve (&room, by_token),
                  .second = reserve (&room, (gsize) ND * K),
                  .attention = reserve (&room, (gsize) ND * HEADS),
                  .attended = reserve (&room, by_decision),
                  .memory = reserve (&room, by_memory),
                  .z = reserve (&room, by_memory),
                  .new_memory = reserve (&room, by_memory) };
  float *chosen = reserve (&room, by_decision);

  make_tokens (&batch);
  if (self->attended != NULL)
    attend (&batch);
  if (self->memory != NULL)
    {
      gather_chosen (&batch, chosen);
      remember (&batch, chosen);
    }
  score (&batch);
  score_backward (&batch);
  common_backward (&batch);
  if (self->attended != NULL)
    attend_backward (&batch);
  if (self->memory != NULL)
    remember_backward (&batch, chosen);
  tokens_backward (&batch);
  g_ptr_array_unref (room.arrays);
}
