#include "engine/nn/multihead.h"

#include "engine/nn/gemm.h"
#include "engine/nn/softmax.h"
#include "engine/nn/vector.h"

#include <math.h>
#include <string.h>

/* As many sums side by side as a vector is wide; they are added in a fixed order. */
#define LANES 8

/* One head's rows without gaps, remembered keys before own ones. T = M + S keys, width d. */
typedef struct
{
  int S, M, T, d;
  float *q;  /* (S,d) scaled */
  float *k;  /* (T,d) */
  float *v;  /* (T,d) */
  float *p;  /* (S,T) */
  float *dp; /* (S,T) */
  float *y;  /* (S,d) output; backward: its gradient */
  float *dq; /* (S,d) */
  float *dk; /* (T,d) keys' gradient, then values' */
} Head;

gsize
goban_multihead_work_size (int S, int M, int H, int D)
{
  gsize d = (gsize) D / H, T = (gsize) M + S;

  return 3 * S * d + 3 * T * d + 2 * S * T;
}

static Head
lay_out (const GobanMultihead *self, float *work)
{
  Head head = { self->S, self->M, self->M + self->S, self->D / self->H, .q = work };
  gsize queries = (gsize) head.S * head.d, keys = (gsize) head.T * head.d;

  head.y = head.q + queries;
  head.dq = head.y + queries;
  head.k = head.dq + queries;
  head.v = head.k + keys;
  head.dk = head.v + keys;
  head.p = head.dk + keys;
  head.dp = head.p + (gsize) head.S * head.T;
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

/* Queries, keys and values of head h, and its probabilities. */
static void
look (const Head *head, const GobanMultihead *self, int h)
{
  int first = h * head->d, S = head->S, M = head->M, d = head->d;
  gsize own = (gsize) M * d;

  pack (head->q, self->q + first, get_scale (head), S, d, self->D);
  if (M > 0)
    {
      pack (head->k, self->k_mem + first, 1, M, d, self->D);
      pack (head->v, self->v_mem + first, 1, M, d, self->D);
    }
  pack (head->k + own, self->k + first, 1, S, d, self->D);
  pack (head->v + own, self->v + first, 1, S, d, self->D);

  memset (head->p, 0, (gsize) S * head->T * sizeof *head->p);
  goban_gemm_nt (head->p, head->q, head->k, S, head->T, d);
  goban_softmax_forward (head->p, head->p, S, head->T);
}

void
goban_multihead_forward (float *y, const GobanMultihead *self, float *work)
{
  Head head = lay_out (self, work);

  memset (y, 0, (gsize) self->S * self->D * sizeof *y);
  for (int h = 0; h < self->H; h++)
    {
      look (&head, self, h);
      memset (head.y, 0, (gsize) head.S * head.d * sizeof *head.y);
      goban_gemm_nn (head.y, head.p, head.v, head.S, head.d, head.T);
      unpack (y + h * head.d, head.y, 1, head.S, head.d, self->D);
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
hand_out (float *own, float *remembered, const Head *head, int h, int D)
{
  if (remembered != NULL && head->M > 0)
    unpack (remembered + h * head->d, head->dk, 1, head->M, head->d, D);
  if (own != NULL)
    unpack (own + h * head->d, head->dk + (gsize) head->M * head->d, 1, head->S, head->d, D);
}

void
goban_multihead_backward (const GobanMultiheadGrad *grad, const float *dy,
                          const GobanMultihead *self, float *work)
{
  /* forward was y = p v with p = softmax (z) and z = (q / sqrt (d)) k^T, so: dv = p^T dy,
   * dp = dy v^T, dk = dz^T q / sqrt (d), dq = dz k / sqrt (d) */
  Head head = lay_out (self, work);
  gsize keys = (gsize) head.T * head.d;

  for (int h = 0; h < self->H; h++)
    {
      look (&head, self, h);
      pack (head.y, dy + h * head.d, 1, head.S, head.d, self->D);

      memset (head.dk, 0, keys * sizeof *head.dk);
      goban_gemm_tn (head.dk, head.p, head.y, head.T, head.d, head.S);
      hand_out (grad->dv, grad->dv_mem, &head, h, self->D);

      memset (head.dp, 0, (gsize) head.S * head.T * sizeof *head.dp);
      goban_gemm_nt (head.dp, head.y, head.v, head.S, head.T, head.d);
      softmax_backward (head.dp, head.p, head.S, head.T);

      memset (head.dk, 0, keys * sizeof *head.dk);
      goban_gemm_tn (head.dk, head.dp, head.q, head.T, head.d, head.S);
      hand_out (grad->dk, grad->dk_mem, &head, h, self->D);

      if (grad->dq == NULL)
        continue;
      memset (head.dq, 0, (gsize) head.S * head.d * sizeof *head.dq);
      goban_gemm_nn (head.dq, head.dp, head.k, head.S, head.d, head.T);
      unpack (grad->dq + h * head.d, head.dq, get_scale (&head), head.S, head.d, self->D);
    }
}
