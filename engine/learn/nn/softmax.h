/* softmax.h: softmax over A actions in N rows, with log-probabilities, entropy and gradients.
 *
 * A logit of -INFINITY is an action that may not be chosen: its probability is 0, its
 * log-probability -INFINITY, and no gradient passes it. A row has at least one finite logit.
 */
#pragma once

#include "engine/core/rng.h"

/* z (N,A): -INFINITY if allowed (N,A) is 0. */
void goban_mask_logits (float *z, const guint8 *allowed, int N, int A);

/* p = softmax (z) row by row; p may be z.   p (N,A)  z (N,A) */
void goban_softmax_forward (float *p, const float *z, int N, int A);
void goban_softmax_backward (float *dz, const float *dp, const float *p, int N, int A);

/* l = log softmax (z) row by row; l may be z. */
void goban_log_softmax_forward (float *l, const float *z, int N, int A);

/* An action by lot, with probabilities p (A) that sum to about 1; never one of probability 0. */
int goban_categorical_sample (const float *p, int A, GobanRng *rng);

/* The first of the likeliest. */
int goban_categorical_best (const float *p, int A);

/* Entropies in nats: h (N) of p (N,A). */
void goban_entropy_forward (float *h, const float *p, int N, int A);
/* dz of the logits behind p, given dh (N) */
void goban_entropy_backward (float *dz, const float *dh, const float *p, int N, int A);

/* dz += weights[n] times the gradient of log p (actions[n]) by the logits of row n.
 * weights (N)  actions (N) */
void goban_log_prob_backward (float *dz, const float *weights, const guint32 *actions,
                              const float *p, int N, int A);

/* A number from the normal distribution of mean 0 and deviation 1. */
float goban_normal_sample (GobanRng *rng);
