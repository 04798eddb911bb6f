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

G_BEGIN_DECLS

/* y (B,D)  a (B,S)  k (S,D)  q (B,D)  v (D) */
void goban_attention_forward (float *y, float *a, const float *k, const float *q, const float *v,
                              int B, int S, int D);

/* dk (S,D)  dq (B,D)  dv (D)  dy (B,D)  da (B,S): room to work in */
void goban_attention_backward (float *dk, float *dq, float *dv, float *da, const float *dy,
                               const float *a, const float *k, const float *q, const float *v,
                               int B, int S, int D);

G_END_DECLS
