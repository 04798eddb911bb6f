/* change-bias.h: likelihood of a few changes of a plan, from logits of all choices.
 *
 *   z_na = 0 if row n has a,  l_na / tau - o(l) otherwise      P (n chooses a) = softmax (z_n)_a
 *   o(l):  sum_n c_n = k,     c_n = 1 - P (n keeps what it has)
 *
 * The offset o is the one at which k rows change on the mean. So a rollout makes a few changes
 * whatever the number of rows, exploration never ends, and the network only says which rows change,
 * and to what.
 *
 * The offset is a function of the logits, in PPO's epochs as in drawing. By the implicit function
 * theorem, with q_na = P (n chooses a) for all a that n does not have,
 *
 *   do / dl_na = w_na / tau,      w_na = q_na (1 - c_n) / sum_m c_m (1 - c_m)
 *   dl_na      = (dz_na - w_na sum_mb dz_mb) / tau
 *
 * Adding a number to all logits changes no probability, and the gradients sum to 0: the common
 * shift is projected out. If the offset were held fixed, rollouts with fewer changes than their
 * fellows, which are usually the better ones, would push all logits down, the next fit would undo
 * that for the probabilities alone, and the logits would fall without end.
 *
 * Decision G7 (engine/NOTES.md).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GOBAN_CHANGE_BIAS_TEMPERATURE 4.0f

/* The offset for logits (N,A), current (N) being what rows have. -INFINITY is never chosen. At most
 * half of the rows that can change are wanted, for draws that change them all cannot change one. 0
 * if none can. */
float goban_change_bias_find_offset (const float *logits, const guint32 *current, int N, int A,
                                     double n_wanted);

/* z (N,A) */
void goban_change_bias_forward (float *z, const float *logits, const guint32 *current, float offset,
                                int N, int A);
/* dlogits (N,A) += the gradient of dz (N,A); z: of forward, at the offset that was found for the
 * same logits */
void goban_change_bias_backward (float *dlogits, const float *dz, const float *z,
                                 const guint32 *current, int N, int A);

G_END_DECLS
