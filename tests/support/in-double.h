/* in-double.h: a network's own sources compiled with double in the place of float.
 *
 * Included before everything else by -include (see the networks in tests/meson.build). Rounding to
 * float hides a derivative behind it: a difference of 1e-3 in a logit is known to four digits at
 * best. In double the steps are a hundred times smaller, and so is the chance that a relu has its
 * corner inside one.
 */
#pragma once

/* Read while float is still float. */
#include "engine/learn/nn/vector.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline double
in_double_sigmoid (double x)
{
  return 1 / (1 + exp (-x));
}

static inline double
in_double_flush (double x)
{
  return x;
}

#define goban_exp exp
#define goban_exp_below exp
#define goban_sigmoid in_double_sigmoid
#define goban_tanh tanh
#define goban_flush in_double_flush
#define logf log
#define sqrtf sqrt
#define cblas_sgemm cblas_dgemm
#define float double
