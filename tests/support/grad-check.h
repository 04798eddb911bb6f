/* grad-check.h: gradient check: compares a backward function with the numerical derivative of its
 * forward function.
 *
 * Every number of every array is moved by h and 2h to both sides, and the loss, computed from
 * floats, gives the derivative by the 4-point central difference, as ggml tests its gradients:
 *
 *   (f (x - 2h) - 8 f (x - h) + 8 f (x + h) - f (x + 2h)) / 12h,     with an error of O(h^4)
 *
 * An element is wrong if the two differ by more than the tolerance times the largest of both and a
 * tenth of the array's root mean square, below which rounding dominates.
 */
#pragma once

#include "engine/learn/nn/params.h"

typedef struct
{
  const char *name;
  float *x;
  const float *dx; /* (n) what backward says */
  gsize n;
} GradArray;

/* A tensor, by its gradients. */
GradArray grad_array_of (const GobanParams *params, guint tensor);

/* The loss by the arrays as they stand. */
typedef double (*GradLoss) (gpointer user_data);

typedef struct
{
  guint n_checked;
  guint n_wrong;
  guint n_wrong_signs;
  double worst; /* relative error, of worst_name[worst_index] */
  const char *worst_name;
  gsize worst_index;
} GradReport;

GradReport grad_check (GradLoss loss, gpointer user_data, const GradArray *arrays, guint n_arrays,
                       double step, double tolerance);

/* The same, and fails the test where anything is wrong, naming the worst. Under a sanitizer
 * (tests/support/rounds.h) some numbers of each array are left out. */
void grad_check_assert (GradLoss loss, gpointer user_data, const GradArray *arrays, guint n_arrays,
                        double step, double tolerance);

/* Numbers in [-range, range] that are a function of the seed, for inputs and for losses. */
void grad_fill (float *values, gsize n, double range, guint64 seed);

/* The number of the largest size, for faults that are planted: x (n), n > 0. */
float *grad_largest (float *x, gsize n);

/* sum_i a_i b_i in double: the loss that weighs every output differently. */
double grad_dot (const float *a, const float *b, gsize n);
