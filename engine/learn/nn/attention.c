#include "engine/learn/nn/attention.h"

#include "engine/learn/nn/linear.h"
#include "engine/learn/nn/softmax.h"
#include "engine/learn/nn/vector.h"

#include <math.h>
#include <string.h>

/* As many sums side by side as a vector is wide; they are added in a fixed order. */
#define LANES 8

GOBAN_VECTOR static float
score (const float *restrict k, const float *restrict q, const float *restrict v, int D)
{
  double sums[LANES] = { 0 };
  double total = 0;
  int d = 0;

  for (; d + LANES <= D; d += LANES)
    for (int lane = 0; lane < LANES; lane++)
      sums[lane] += (double) (v[d + lane] * goban_tanh (k[d + lane] + q[d + lane]));
  for (; d < D; d++)
    total += (double) (v[d] * goban_tanh (k[d] + q[d]));
  for (int lane = 0; lane < LANES; lane++)
    total += sums[lane];
  return (float) total;
}

void
goban_attention_forward (float *y, float *a, const float *k, const float *q, const float *v, int B,
                         int S, int D)
{
  for (int b = 0; b < B; b++)
    for (int s = 0; s < S; s++)
      a[(gsize) b * S + s] = score (k + (gsize) s * D, q + (gsize) b * D, v, D);
  goban_softmax_forward (a, a, B, S);
  memset (y, 0, (gsize) B * D * sizeof *y);
  goban_gemm_nn (y, a, k, B, D, S);
}

/* du is the gradient of one score. */
GOBAN_VECTOR static void
score_backward (float *restrict dk, float *restrict dq, float *restrict dv, float du,
                const float *restrict k, const float *restrict q, const float *restrict v, int D)
{
  /* forward was u = v . tanh (k + q) */
  for (int d = 0; d < D; d++)
    {
      float t = goban_tanh (k[d] + q[d]);
      float dsum = du * v[d] * (1.0f - t * t);

      dv[d] += du * t;
      dk[d] += dsum;
      dq[d] += dsum;
    }
}

void
goban_attention_backward (float *dk, float *dq, float *dv, float *da, const float *dy,
                          const float *a, const float *k, const float *q, const float *v, int B,
                          int S, int D)
{
  /* forward was y = a k with a = softmax (u), so da = dy k^T, and dk gets a^T dy besides what comes
   * through the scores */
  memset (da, 0, (gsize) B * S * sizeof *da);
  goban_gemm_nt (da, dy, k, B, S, D);
  goban_gemm_tn (dk, a, dy, S, D, B);

  for (int b = 0; b < B; b++)
    {
      const float *p = a + (gsize) b * S;
      float *dp = da + (gsize) b * S;
      double mean = 0;

      for (int s = 0; s < S; s++)
        mean += (double) p[s] * (double) dp[s];
      for (int s = 0; s < S; s++)
        score_backward (dk + (gsize) s * D, dq + (gsize) b * D, dv, p[s] * (dp[s] - (float) mean),
                        k + (gsize) s * D, q + (gsize) b * D, v, D);
    }
}

/* As many sums side by side as a vector is wide; they are added in a fixed order. */

/* Queries that are answered together: their probabilities stay in the cache from step to step. */
#define TILE 64
/* The same of forward, which has one array of them and not two. */
#define LOOK 32

/* One head's rows without gaps, remembered keys before own ones. T = M + S keys, width d. */
typedef struct
{
  int S, M, T, d;
  float *k;  /* (T,d) */
  float *kt; /* (d,T) the same turned over */
  float *v;  /* (T,d) */
  float *dk; /* (T,d) */
  float *dv; /* (T,d) */
  float *q;  /* (TILE,d) scaled */
  float *y;  /* (TILE,d) output; backward: its gradient */
  float *dq; /* (TILE,d) */
  float *p;  /* (TILE,T) */
  float *dp; /* (TILE,T) */
} Head;

gsize
goban_multihead_work_size (int S, int M, int H, int D)
{
  gsize d = (gsize) D / H, T = (gsize) M + S;

  return 5 * T * d + TILE * (3 * d + 2 * T);
}

static Head
lay_out (const GobanMultihead *self, float *work)
{
  Head head = { self->S, self->M, self->M + self->S, self->D / self->H, .k = work };
  gsize keys = (gsize) head.T * head.d, queries = (gsize) TILE * head.d;

  head.kt = head.k + keys;
  head.v = head.kt + keys;
  head.dk = head.v + keys;
  head.dv = head.dk + keys;
  head.q = head.dv + keys;
  head.y = head.q + queries;
  head.dq = head.y + queries;
  head.p = head.dq + queries;
  head.dp = head.p + (gsize) TILE * head.T;
  return head;
}

/* to (n_rows,d) = scale times n_rows rows of d numbers that lie stride apart. */
GOBAN_VECTOR static void
pack (float *restrict to, const float *restrict from, float scale, int n_rows, int d, int stride)
{
  for (int n = 0; n < n_rows; n++)
    for (int i = 0; i < d; i++)
      to[(gsize) n * d + i] = scale * from[(gsize) n * stride + i];
}

/* The way back. */
GOBAN_VECTOR static void
place (float *restrict to, const float *restrict from, int n_rows, int d, int stride)
{
  for (int n = 0; n < n_rows; n++)
    for (int i = 0; i < d; i++)
      to[(gsize) n * stride + i] = from[(gsize) n * d + i];
}

/* The way back, added. */
GOBAN_VECTOR static void
unpack (float *restrict to, const float *restrict from, float scale, int n_rows, int d, int stride)
{
  for (int n = 0; n < n_rows; n++)
    for (int i = 0; i < d; i++)
      to[(gsize) n * stride + i] += scale * from[(gsize) n * d + i];
}

static float
get_scale (const Head *head)
{
  return (float) (1 / sqrt ((double) head->d));
}

/* Keys and values of head h. */
static void
remember (const Head *head, const GobanMultihead *self, int h)
{
  int first = h * head->d, S = head->S, M = head->M, d = head->d;
  gsize own = (gsize) M * d;

  if (M > 0)
    {
      pack (head->k, self->k_mem + first, 1, M, d, self->D);
      pack (head->v, self->v_mem + first, 1, M, d, self->D);
    }
  pack (head->k + own, self->k + first, 1, S, d, self->D);
  pack (head->v + own, self->v + first, 1, S, d, self->D);
  goban_linear_turn (head->kt, head->k, d, head->T);
}

/* The probabilities of n queries of head h, from row s on. */
static void
look (const Head *head, const GobanMultihead *self, int h, int s, int n)
{
  pack (head->q, self->q + (gsize) s * self->D + h * head->d, get_scale (head), n, head->d,
        self->D);
  /* Scores are a layer whose weights are the keys. */
  goban_linear_turned_forward (head->p, head->q, head->kt, NULL, n, head->d, head->T);
  goban_softmax_forward (head->p, head->p, n, head->T);
}

void
goban_multihead_forward (float *y, const GobanMultihead *self, float *work)
{
  Head head = lay_out (self, work);

  for (int h = 0; h < self->H; h++)
    {
      remember (&head, self, h);
      for (int s = 0; s < head.S; s += LOOK)
        {
          int n = MIN (LOOK, head.S - s);

          look (&head, self, h, s, n);
          goban_gemm_nn_over (head.y, head.p, head.v, n, head.d, head.T);
          place (y + (gsize) s * self->D + h * head.d, head.y, n, head.d, self->D);
        }
    }
}
void
goban_multihead_probabilities (float *p, const GobanMultihead *self, float *work)
{
  Head head = lay_out (self, work);

  memset (p, 0, (gsize) head.S * head.T * sizeof *p);
  for (int h = 0; h < self->H; h++)
    {
      remember (&head, self, h);
      for (int s = 0; s < head.S; s += LOOK)
        {
          int n = MIN (LOOK, head.S - s);

          look (&head, self, h, s, n);
          for (int i = 0; i < n * head.T; i++)
            p[(gsize) s * head.T + i] += head.p[i] / (float) self->H;
        }
    }
}

/* dz = p (dp - sum_j p_j dp_j), written over dp (S,T) */
GOBAN_VECTOR static void
softmax_backward (float *restrict dp, const float *restrict p, int S, int T)
{
  for (int s = 0; s < S; s++)
    {
      float *drow = dp + (gsize) s * T;
      const float *row = p + (gsize) s * T;
      double sums[LANES] = { 0 };
      double total = 0;
      float mean;
      int t = 0;

      for (; t + LANES <= T; t += LANES)
        for (int lane = 0; lane < LANES; lane++)
          sums[lane] += (double) (row[t + lane] * drow[t + lane]);
      for (; t < T; t++)
        total += (double) (row[t] * drow[t]);
      for (int lane = 0; lane < LANES; lane++)
        total += sums[lane];
      mean = (float) total;
      for (t = 0; t < T; t++)
        drow[t] = goban_flush (row[t] * (drow[t] - mean));
    }
}

/* A head's gradient of all keys, or of all values, to where the two pieces' stand. */
static void
hand_out (float *own, float *remembered, const float *from, const Head *head, int D)
{
  if (remembered != NULL && head->M > 0)
    unpack (remembered, from, 1, head->M, head->d, D);
  if (own != NULL)
    unpack (own, from + (gsize) head->M * head->d, 1, head->S, head->d, D);
}

static inline float *
at (float *rows, int column)
{
  return rows != NULL ? rows + column : NULL;
}

/* Back through n queries of head h, from row s on. */
static void
look_back (const Head *head, float *dq, const float *dy, const GobanMultihead *self, int h, int s,
           int n)
{
  gsize first = (gsize) s * self->D + h * head->d;

  /* forward was y = p v with p = softmax (z) and z = (q / sqrt (d)) k^T, so: dv = p^T dy,
   * dp = dy v^T, dk = dz^T q / sqrt (d), dq = dz k / sqrt (d) */
  look (head, self, h, s, n);
  pack (head->y, dy + first, 1, n, head->d, self->D);
  goban_gemm_tn (head->dv, head->p, head->y, head->T, head->d, n);

  memset (head->dp, 0, (gsize) n * head->T * sizeof *head->dp);
  goban_gemm_nt (head->dp, head->y, head->v, n, head->T, head->d);
  softmax_backward (head->dp, head->p, n, head->T);
  goban_gemm_tn (head->dk, head->dp, head->q, head->T, head->d, n);

  if (dq == NULL)
    return;
  memset (head->dq, 0, (gsize) n * head->d * sizeof *head->dq);
  goban_gemm_nn (head->dq, head->dp, head->k, n, head->d, head->T);
  unpack (dq + first, head->dq, get_scale (head), n, head->d, self->D);
}

void
goban_multihead_backward (const GobanMultiheadGrad *grad, const float *dy,
                          const GobanMultihead *self, float *work)
{
  Head head = lay_out (self, work);
  gsize keys = (gsize) head.T * head.d;

  for (int h = 0; h < self->H; h++)
    {
      int first = h * head.d;

      remember (&head, self, h);
      memset (head.dk, 0, 2 * keys * sizeof *head.dk); /* and dv, which follows */
      for (int s = 0; s < head.S; s += TILE)
        look_back (&head, grad->dq, dy, self, h, s, MIN (TILE, head.S - s));
      hand_out (at (grad->dk, first), at (grad->dk_mem, first), head.dk, &head, self->D);
      hand_out (at (grad->dv, first), at (grad->dv_mem, first), head.dv, &head, self->D);
    }
}
