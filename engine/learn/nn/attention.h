/* attention.h: additive attention (Bahdanau, Cho and Bengio, 2015).   S keys, B queries, D width.
 *
 * All queries look at the same keys, which are their own values, as in HDP's public code:
 *
 *   u_s = v . tanh (k_s + q)      a = softmax (u)      y = sum_s a_s k_s
 *
 * with k and q already projected. The tanh are computed again by backward, for to keep them
 * would take B S D floats a step.
 */
#pragma once

#include <glib.h>

/* y (B,D)  a (B,S)  k (S,D)  q (B,D)  v (D) */
void goban_attention_forward (float *y, float *a, const float *k, const float *q, const float *v,
                              int B, int S, int D);

/* dk (S,D)  dq (B,D)  dv (D)  dy (B,D)  da (B,S): room to work in */
void goban_attention_backward (float *dk, float *dq, float *dv, float *da, const float *dy,
                               const float *a, const float *k, const float *q, const float *v,
                               int B, int S, int D);

/* Multi-head scaled dot-product attention (Vaswani et al., Attention Is All You Need,
 * 2017). S queries over M + S keys: a segment and the M rows it remembers (segment-level
 * recurrence: Dai et al., Transformer-XL, 2019). No positions, and no mask inside the segment,
 * since decisions are made all at once.
 *
 *   D = H d: head h has columns h d .. (h + 1) d - 1 of every row
 *   a_h = softmax (q_h k_h^T / sqrt (d))      y_h = a_h v_h
 *
 * Keys and values come in two pieces, remembered and own, so that a caller can keep those of all
 * segments in one array and stop gradients at the border. Probabilities are made again by backward.
 */

typedef struct
{
  int S, M, H, D; /* queries and own keys, remembered keys (0 in the first segment), heads, width */
  const float *q; /* (S,D) */
  const float *k; /* (S,D) */
  const float *v; /* (S,D) */
  const float *k_mem; /* (M,D) */
  const float *v_mem; /* (M,D) */
} GobanMultihead;

/* Floats of room that both directions need. */
gsize goban_multihead_work_size (int S, int M, int H, int D);

/* y (S,D)  work: room, overwritten */
void goban_multihead_forward (float *y, const GobanMultihead *self, float *work);

/* p (S,M + S): what each query takes of each key, remembered ones first: the mean of the heads'
 * probabilities. Rows sum to 1. For display. */
void goban_multihead_probabilities (float *p, const GobanMultihead *self, float *work);

/* All add. dq dk dv (S,D)  dk_mem dv_mem (M,D)  dy (S,D) */
typedef struct
{
  float *dq, *dk, *dv, *dk_mem, *dv_mem;
} GobanMultiheadGrad;

void goban_multihead_backward (const GobanMultiheadGrad *grad, const float *dy,
                               const GobanMultihead *self, float *work);
