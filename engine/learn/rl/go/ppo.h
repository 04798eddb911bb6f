/* ppo.h: the clipped surrogate of proximal policy optimisation, for a choice per row.
 *
 *   L = 1/(R N) sum_r sum_n min (ratio A, clip (ratio, 1 - clip, 1 + clip) A) + entropy/N sum_n H_n
 *   ratio_rn = exp (log p_n (chosen_rn) - old_rn)
 *
 * Schulman et al., Proximal Policy Optimization Algorithms, 2017, equation 7. The ratio is per row,
 * because the joint ratio of 10,000 rows would always be clipped (GO's own form is not published).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  int R, N, A;                  /* rollouts, rows, actions */
  const float *logits;          /* (N,A) -INFINITY where masked */
  const guint32 *const *chosen; /* (R) of (N) */
  const float *old;             /* (R,N) log-probabilities when they were chosen */
  const float *advantages;      /* (R,N) */
  double clip;
  double entropy;
  double scale; /* factor of the gradient, such as the weight of a task */
} GobanPpo;

typedef struct
{
  double surrogate; /* the first term, unscaled */
  double entropy;   /* mean nats a row */
  double clipped;   /* share of ratios without gradient because of clipping */
} GobanPpoStats;

/* Writes to old (N) the log-probabilities of chosen (N), given logits (N,A). */
void goban_ppo_log_probs (float *old, const float *logits, const guint32 *chosen, int N, int A);

/* Subtracts the gradient of scale x L from dlogits (N,A), for an optimiser that descends. */
void goban_ppo_backward (float *dlogits, const GobanPpo *self, GobanPpoStats *stats);

G_END_DECLS
