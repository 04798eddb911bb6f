/* stay.h: from logits of all choices to those of a few changes of a plan.
 *
 *   z'_na = 0 where a is what row n has,  z_na / tau - offset elsewhere
 *
 * with the offset at which the expected number of rows that change is as wanted. So a rollout makes a few changes
 * whatever the number of rows, exploration never dies, and what a network has to say is which rows should
 * change, and to what. The offset is part of the rules while rollouts of it are learned from.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GOBAN_STAY_TEMPERATURE 4.0f

/* The offset for logits (N,A), what rows have being current (N). -INFINITY is never chosen. At most half of the
 * rows that can change are wanted, for draws that change them all cannot change one. Where none can, 0. */
float goban_stay_find_offset (const float *logits, const guint32 *current, int N, int A,
                              double n_wanted);

/* z (N,A) */
void goban_stay_forward (float *z, const float *logits, const guint32 *current, float offset, int N,
                         int A);
/* dlogits += ... of dz */
void goban_stay_backward (float *dlogits, const float *dz, const guint32 *current, int N, int A);

G_END_DECLS
