/* change-bias.h: likelihood of a few changes of a plan, from logits of all choices.
 *
 *   z_na = 0 if row n has a,  l_na / tau - o(l) otherwise      P (n chooses a) = softmax (z_n)_a
 *   o(l):  sum_n c_n = k,     c_n = 1 - P (n keeps what it has)
 *
 * The offset o is chosen so that k rows change on average. So a rollout makes a few changes
 * whatever the number of rows, exploration never ends, and the network only determines which rows
 * change, and to what.
 *
 * The offset depends on the logits, both for drawing and in PPO's epochs, so the gradient passes
 * through it. By the implicit function theorem, with q_na = P (n chooses a) for all a that n does
 * not have,
 *
 *   do / dl_na = w_na / tau,      w_na = q_na (1 - c_n) / sum_m c_m (1 - c_m)
 *   dl_na      = (dz_na - w_na sum_mb dz_mb) / tau
 *
 * Adding a constant to all logits changes no probability, and the gradients sum to 0. If the offset
 * were held fixed, rollouts with few changes, which are usually the better ones, would push all
 * logits down; the next fit of the offset would hide that in the probabilities, and the logits
 * would fall without end.
 *
 * Decision G7 (engine/NOTES.md).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GOBAN_CHANGE_BIAS_TEMPERATURE 4.0f

/* Returns the offset at which @n_wanted rows change on average, but at most half of the rows that
 * can change. current (N): the present choice of each row. An action with a logit of -INFINITY is
 * never chosen. Returns 0 if no row can change. */
float goban_change_bias_find_offset (const float *logits, const guint32 *current, int N, int A,
                                     double n_wanted);

/* Computes z (N,A) from the logits and the offset. */
void goban_change_bias_forward (float *z, const float *logits, const guint32 *current, float offset,
                                int N, int A);
/* Adds to dlogits (N,A) the gradient for dz (N,A). z: the result of forward, with the offset that
 * was found for the same logits. */
void goban_change_bias_backward (float *dlogits, const float *dz, const float *z,
                                 const guint32 *current, int N, int A);

G_END_DECLS
