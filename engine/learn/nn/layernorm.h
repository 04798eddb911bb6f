/* layernorm.h: layer normalisation of rows to mean 0 and deviation 1, then scaled. N rows, D
 * width.
 *
 * Ba, Kiros and Hinton, Layer Normalization, 2016.
 */
#pragma once

#include <glib.h>

/* y = (x - mean) inverse gamma + beta, inverse = 1 / sqrt (variance + 1e-5).
 * y (N,D)  mean (N)  inverse (N)  x (N,D)  gamma (D)  beta (D) */
void goban_layernorm_forward (float *y, float *mean, float *inverse, const float *x,
                              const float *gamma, const float *beta, int N, int D);
/* dx (N,D)  dgamma (D)  dbeta (D) */
void goban_layernorm_backward (float *dx, float *dgamma, float *dbeta, const float *dy,
                               const float *x, const float *mean, const float *inverse,
                               const float *gamma, int N, int D);

/* Columns standardised to mean 0 and deviation 1 over the rows. N rows, A
 * columns.
 *
 *   mean_a = sum_n w_n x_na      std_a = sqrt (sum_n w_n (x_na - mean_a)^2 + 1e-6)
 *   y = (x - mean) / std,  with weights w >= 0 that sum to 1
 *
 * A head whose logits are brought to the same mean and deviation for every device cannot begin
 * with, or fall back on, one device for all (design note 6.1 of the method). Reduced in double,
 * row by row, so the result does not depend on threads.
 */

/* y (N,A)  inverse (A): 1 / std, for backward  x (N,A)  w (N) (nullable): 1 / N each */
void goban_standardize_forward (float *y, float *inverse, const float *x, const float *w, int N,
                                int A);
/* dx (N,A) is added to.   dy (N,A)  y, inverse: of forward */
void goban_standardize_backward (float *dx, const float *dy, const float *y, const float *inverse,
                                 const float *w, int N, int A);
