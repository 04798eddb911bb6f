/* layernorm.h: layer normalisation of rows to mean 0 and deviation 1, then scaled. N rows, D
 * width.
 *
 * Ba, Kiros and Hinton, Layer Normalization, 2016.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* y = (x - mean) inverse gamma + beta, inverse = 1 / sqrt (variance + 1e-5).
 * y (N,D)  mean (N)  inverse (N)  x (N,D)  gamma (D)  beta (D) */
void goban_layernorm_forward (float *y, float *mean, float *inverse, const float *x,
                              const float *gamma, const float *beta, int N, int D);
/* dx (N,D)  dgamma (D)  dbeta (D) */
void goban_layernorm_backward (float *dx, float *dgamma, float *dbeta, const float *dy,
                               const float *x, const float *mean, const float *inverse,
                               const float *gamma, int N, int D);

G_END_DECLS
