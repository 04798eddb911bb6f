/* standardize.h: columns standardised to mean 0 and deviation 1 over the rows. N rows, A
 * columns.
 *
 *   mean_a = sum_n w_n x_na      std_a = sqrt (sum_n w_n (x_na - mean_a)^2 + 1e-6)
 *   y = (x - mean) / std,  with weights w >= 0 that sum to 1
 *
 * A head whose logits are brought to the same mean and deviation for every device cannot begin
 * with, or fall back on, one device for all (design note 6.1 of the method). Reduced in double,
 * row by row, so the result does not depend on threads.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* y (N,A)  inverse (A): 1 / std, for backward  x (N,A)  w (N) (nullable): 1 / N each */
void goban_standardize_forward (float *y, float *inverse, const float *x, const float *w, int N,
                                int A);
/* dx (N,A) is added to.   dy (N,A)  y, inverse: of forward */
void goban_standardize_backward (float *dx, const float *dy, const float *y, const float *inverse,
                                 const float *w, int N, int A);

G_END_DECLS
