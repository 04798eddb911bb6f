/* least-squares.h: ridge regression on features and a constant, one example at a time (recursive
 * least squares).
 *
 *   w minimizes  sum_i (y_i - w [x_i, 1])^2 + |w|^2 / variance
 *
 * That is the mean of what is known of the weights if they were normal with that variance and
 * examples have normal noise of variance 1; P below is its covariance. Weights drawn from it try
 * what is uncertain (Thompson, 1933).
 *
 * The weights are those of all examples so far, exactly: there is no rate and no epoch. The matrix
 * P that is kept is the inverse of sum_i [x_i, 1] [x_i, 1]^T + I / variance, changed by one rank
 * for each example (Sherman and Morrison). O(features^2) an example, in double and in one order, so
 * results have the same bits on every processor.
 */
#pragma once

#include "engine/core/rng.h"

G_BEGIN_DECLS

typedef struct _GobanLeastSquares GobanLeastSquares;

/* @variance: above 0: how large weights are expected to be; without examples all are 0. */
GobanLeastSquares *goban_least_squares_new (guint n_features,
                                            double variance) G_GNUC_WARN_UNUSED_RESULT;
void goban_least_squares_free (GobanLeastSquares *self);

/* x (n_features) */
double goban_least_squares_predict (const GobanLeastSquares *self, const float *x);
void goban_least_squares_add (GobanLeastSquares *self, const float *x, double y);

/* weights (n_features + 1), out: drawn from mean w and covariance noise^2 P. O(features^3). */
void goban_least_squares_draw (GobanLeastSquares *self, double noise, GobanRng *rng,
                               double *weights);
/* weights (n_features + 1)  x (n_features) */
double goban_least_squares_apply (const double *weights, const float *x, guint n_features);

/* (n_features + 1): the last one is the constant's. Borrowed. */
const double *goban_least_squares_get_weights (const GobanLeastSquares *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanLeastSquares, goban_least_squares_free)

G_END_DECLS
