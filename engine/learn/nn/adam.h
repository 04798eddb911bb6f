/* adam.h: the optimiser: Kingma and Ba, Adam, 2015, with its gradient clipped by norm.
 *
 *   g <- g min (1, clip_norm / |g|)      |g| over all tensors
 *   m <- beta1 m + (1 - beta1) g         v <- beta2 v + (1 - beta2) g^2
 *   w <- w - rate (m / (1 - beta1^t) / (sqrt (v / (1 - beta2^t)) + epsilon) + weight_decay w)
 */
#pragma once

#include "engine/learn/nn/params.h"

G_BEGIN_DECLS

typedef struct
{
  double rate;
  double beta1;
  double beta2;
  double epsilon;
  double clip_norm; /* 0: the gradient is taken as it is */
  double weight_decay;
  /* Tensors from this number on move at this share of the rate. 0: all move alike. */
  guint first_slow;
  double slow_share;
} GobanAdam;

/* The paper's constants, no clipping and no decay. */
GobanAdam goban_adam_new (double rate);

/**
 * goban_adam_step:
 * @norm: (out) (nullable): the gradient's norm before it was clipped
 *
 * Moves the values down the gradient, which it leaves as it is.
 *
 * Returns: %FALSE with %GOBAN_ERROR_INVALID set, which names the tensor, if the gradient is not
 *   finite; nothing has changed then
 */
gboolean goban_adam_step (const GobanAdam *self, GobanParams *params, double *norm, GError **error);

G_END_DECLS
