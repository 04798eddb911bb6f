#include "tests/support/grad-check.h"

#include "engine/core/rng.h"
#include "tests/support/rounds.h"

#include <math.h>

/* What is smaller than this share of the array's root mean square is judged as if it were so. */
#define FLOOR_SHARE 0.1

/* Prime, so that no column of a matrix is left out. */
#define SANITIZED_STRIDE 7

static double
loss_at (GradLoss loss, gpointer user_data, float *x, double value)
{
  float before = *x;
  double result;

  *x = (float) value;
  result = loss (user_data);
  *x = before;
  return result;
}

static double
differentiate (GradLoss loss, gpointer user_data, float *x, double step)
{
  double middle = (double) *x;
  double near
      = loss_at (loss, user_data, x, middle + step) - loss_at (loss, user_data, x, middle - step);
  double far = loss_at (loss, user_data, x, middle + 2 * step)
               - loss_at (loss, user_data, x, middle - 2 * step);

  return (8 * near - far) / (12 * step);
}

/* Every @stride-th number of the array. */
static void
check_array (GradReport *report, gsize stride, GradLoss loss, gpointer user_data,
             const GradArray *array, double step, double tolerance)
{
  g_autofree double *numeric = g_new (double, array->n);
  double squares = 0, n = 0, floor;

  for (gsize i = 0; i < array->n; i += stride)
    {
      numeric[i] = differentiate (loss, user_data, &array->x[i], step);
      squares += numeric[i] * numeric[i];
      n++;
    }
  floor = FLOOR_SHARE * sqrt (squares / n) + 1e-6;

  for (gsize i = 0; i < array->n; i += stride)
    {
      double analytic = (double) array->dx[i];
      double scale = MAX (MAX (fabs (analytic), fabs (numeric[i])), floor);
      double wrong = fabs (analytic - numeric[i]) / scale;

      report->n_checked++;
      report->n_wrong += !(wrong <= tolerance);
      report->n_wrong_signs += analytic * numeric[i] < 0 && fabs (numeric[i]) > floor;
      if (!(wrong <= report->worst))
        {
          report->worst = wrong;
          report->worst_name = array->name;
          report->worst_index = i;
        }
    }
}

static GradReport
check_every (gsize stride, GradLoss loss, gpointer user_data, const GradArray *arrays,
             guint n_arrays, double step, double tolerance)
{
  GradReport report = { .worst = -1 };

  for (guint i = 0; i < n_arrays; i++)
    check_array (&report, stride, loss, user_data, &arrays[i], step, tolerance);
  /* What forward keeps for backward is that of the arrays as they stand, again. */
  loss (user_data);
  return report;
}

GradReport
grad_check (GradLoss loss, gpointer user_data, const GradArray *arrays, guint n_arrays, double step,
            double tolerance)
{
  return check_every (1, loss, user_data, arrays, n_arrays, step, tolerance);
}

void
grad_check_assert (GradLoss loss, gpointer user_data, const GradArray *arrays, guint n_arrays,
                   double step, double tolerance)
{
  GradReport report = check_every (TEST_IS_SANITIZED ? SANITIZED_STRIDE : 1, loss, user_data,
                                   arrays, n_arrays, step, tolerance);

  g_test_message ("%u gradients, %u wrong, %u of wrong sign; worst %s[%" G_GSIZE_FORMAT "]: %g",
                  report.n_checked, report.n_wrong, report.n_wrong_signs, report.worst_name,
                  report.worst_index, report.worst);
  g_assert_cmpuint (report.n_checked, >, 0);
  g_assert_cmpuint (report.n_wrong_signs, ==, 0);
  g_assert_cmpuint (report.n_wrong, ==, 0);
}

void
grad_fill (float *values, gsize n, double range, guint64 seed)
{
  GobanRng rng;

  goban_rng_init (&rng, seed);
  for (gsize i = 0; i < n; i++)
    values[i] = (float) (range * (2 * goban_rng_uniform (&rng) - 1));
}

GradArray
grad_array_of (const GobanParams *params, guint tensor)
{
  return (GradArray){ goban_params_get_tensor (params, tensor)->name,
                      goban_params_value (params, tensor), goban_params_grad (params, tensor),
                      goban_params_get_size (params, tensor) };
}

float *
grad_largest (float *x, gsize n)
{
  gsize best = 0;

  for (gsize i = 1; i < n; i++)
    if (fabs ((double) x[i]) > fabs ((double) x[best]))
      best = i;
  return &x[best];
}

double
grad_dot (const float *a, const float *b, gsize n)
{
  double total = 0;

  for (gsize i = 0; i < n; i++)
    total += (double) a[i] * (double) b[i];
  return total;
}
