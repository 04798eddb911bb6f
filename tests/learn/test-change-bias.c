/* From logits to a few changes of a plan: how many, and the way back. */
#include "engine/learn/rl/change-bias.h"

#include "engine/core/rng.h"
#include "tests/support/grad-check.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

typedef struct
{
  int N, A;
  float *logits;    /* (N,A) */
  float *dlogits;   /* (N,A) */
  float *z;         /* (N,A) */
  float *dz;        /* (N,A) */
  guint32 *current; /* (N) */
  float offset;
} Case;

static void
case_clear (Case *self)
{
  g_free (self->logits);
  g_free (self->dlogits);
  g_free (self->z);
  g_free (self->dz);
  g_free (self->current);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

/* @mask_share of what is not current may not be chosen. */
static Case
new_case (int N, int A, double mask_share, guint64 seed)
{
  gsize size = (gsize) N * A;
  Case self = { N,
                A,
                g_new (float, size),
                g_new0 (float, size),
                g_new (float, size),
                g_new (float, size),
                g_new (guint32, N),
                0 };
  GobanRng rng;

  goban_rng_init (&rng, seed);
  grad_fill (self.logits, size, 6, seed + 1);
  grad_fill (self.dz, size, 1, seed + 2);
  for (int n = 0; n < N; n++)
    {
      self.current[n] = goban_rng_below (&rng, (guint32) A);
      for (int a = 0; a < A; a++)
        if ((guint32) a != self.current[n] && goban_rng_uniform (&rng) < mask_share)
          self.logits[n * A + a] = -INFINITY;
    }
  return self;
}

static float
find_offset (Case *self, double n_wanted)
{
  self->offset
      = goban_change_bias_find_offset (self->logits, self->current, self->N, self->A, n_wanted);
  goban_change_bias_forward (self->z, self->logits, self->current, self->offset, self->N, self->A);
  return self->offset;
}

/* How many rows a draw from z changes, on the mean; all in double, by the plain softmax. */
static double
expect_changes (const Case *self)
{
  double total = 0;

  for (int n = 0; n < self->N; n++)
    {
      double sum = 0;

      for (int a = 0; a < self->A; a++)
        sum += exp ((double) self->z[n * self->A + a]);
      total += 1 - exp ((double) self->z[n * self->A + (int) self->current[n]]) / sum;
    }
  return total;
}

static void
test_wanted (void)
{
  static const int sizes[][2] = { { 4, 2 }, { 5, 2 }, { 16, 8 }, { 100, 4 }, { 700, 3 } };
  static const double wanted[] = { 0.1, 0.5, 1, 2 };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (wanted); j++)
      {
        g_auto (Case) self = new_case (sizes[i][0], sizes[i][1], 0, 10 * i + j);

        find_offset (&self, wanted[j]);
        g_assert_cmpfloat_with_epsilon (expect_changes (&self), wanted[j], 1e-3);
      }
}

/* Masks leave fewer to choose from, and those make up for it. */
static void
test_masked (void)
{
  for (guint64 seed = 1; seed <= 20; seed++)
    {
      g_auto (Case) self = new_case (60, 5, 0.6, seed);

      find_offset (&self, 3);
      g_assert_cmpfloat_with_epsilon (expect_changes (&self), 3, 1e-3);
      for (int i = 0; i < self.N * self.A; i++)
        g_assert_true (
            isfinite (self.z[i])
            == (isfinite (self.logits[i]) || i % self.A == (int) self.current[i / self.A]));
    }
}

/* Where fewer rows than wanted, or hardly more, can change, half of these do: a draw that changes
 * all of them could not change one. */
static void
test_too_many (void)
{
  static const double wanted[] = { 0.4, 2, 50, 1e6 };

  for (int N = 1; N <= 3; N++)
    for (gsize j = 0; j < G_N_ELEMENTS (wanted); j++)
      {
        g_auto (Case) self = new_case (N, 4, 0, (guint64) N);

        find_offset (&self, wanted[j]);
        g_assert_cmpfloat_with_epsilon (expect_changes (&self), fmin (wanted[j], N / 2.0), 1e-3);
      }
}

/* Rows that cannot change are not counted among those that may. */
static void
test_some_cannot (void)
{
  g_auto (Case) self = new_case (10, 3, 0, 5);

  for (int n = 0; n < 8; n++)
    for (int a = 0; a < 3; a++)
      if ((guint32) a != self.current[n])
        self.logits[n * 3 + a] = -INFINITY;
  find_offset (&self, 2);
  g_assert_cmpfloat_with_epsilon (expect_changes (&self), 1, 1e-3);
}

static void
test_nothing_to_change (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 9, 1 }, { 9, 4 } };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_auto (Case) self = new_case (sizes[i][0], sizes[i][1], 1, i);

      g_assert_cmpfloat (find_offset (&self, 2), ==, 0);
      g_assert_cmpfloat (expect_changes (&self), ==, 0);
    }
}

/* Far apart, all very high or all very low: the scale of logits does not matter. */
static void
test_extreme (void)
{
  static const float shifts[] = { -3000, -40, 40, 3000 };

  for (gsize i = 0; i < G_N_ELEMENTS (shifts); i++)
    {
      g_auto (Case) self = new_case (30, 4, 0.3, i);

      for (int j = 0; j < 30 * 4; j++)
        self.logits[j] += shifts[i];
      find_offset (&self, 2);
      g_assert_cmpfloat_with_epsilon (expect_changes (&self), 2, 2e-3);
    }
  for (guint64 seed = 1; seed <= 5; seed++)
    {
      g_auto (Case) self = new_case (30, 4, 0.3, seed);

      for (int j = 0; j < 30 * 4; j++)
        self.logits[j] *= 300;
      find_offset (&self, 2);
      g_assert_cmpfloat_with_epsilon (expect_changes (&self), 2, 0.05);
    }
}

static void
test_current_is_zero (void)
{
  g_auto (Case) self = new_case (25, 4, 0.3, 9);

  find_offset (&self, 2);
  for (int n = 0; n < self.N; n++)
    for (int a = 0; a < self.A; a++)
      {
        gsize i = (gsize) n * self.A + a;

        if ((guint32) a == self.current[n])
          g_assert_cmpfloat (self.z[i], ==, 0);
        else if (isfinite (self.logits[i]))
          g_assert_cmpfloat_with_epsilon (
              self.z[i], self.logits[i] / GOBAN_CHANGE_BIAS_TEMPERATURE - self.offset, 1e-6);
      }
}

/* With the offset of these logits. */
static double
get_loss (gpointer user_data)
{
  Case *self = user_data;

  find_offset (self, 2);
  return grad_dot (self->dz, self->z, (gsize) self->N * self->A);
}

/* The offset follows the logits: of devices and of levels, where some may not be chosen, and where
 * few can change. */
static void
test_backward (void)
{
  static const int sizes[][2] = { { 9, 4 }, { 7, 16 }, { 2, 3 }, { 30, 2 } };

  for (gsize k = 0; k < G_N_ELEMENTS (sizes); k++)
    {
      gsize size = (gsize) sizes[k][0] * sizes[k][1];
      g_auto (Case) self = new_case (sizes[k][0], sizes[k][1], 0, 11 + k);
      GradArray arrays[] = { { "logits", self.logits, self.dlogits, size } };
      g_autofree float *once = NULL;

      find_offset (&self, 2);
      goban_change_bias_backward (self.dlogits, self.dz, self.z, self.current, self.N, self.A);
      grad_check_assert (get_loss, &self, arrays, 1, 0.1, 3e-3);

      /* It adds. */
      once = g_memdup2 (self.dlogits, size * sizeof *once);
      find_offset (&self, 2);
      goban_change_bias_backward (self.dlogits, self.dz, self.z, self.current, self.N, self.A);
      for (gsize i = 0; i < size; i++)
        g_assert_cmpfloat_with_epsilon (self.dlogits[i], 2 * once[i], 1e-5);
    }
}

/* Rows that may not choose everything: no gradient goes to what cannot be chosen. */
static void
test_backward_masked (void)
{
  g_auto (Case) self = new_case (20, 5, 0.5, 17);

  for (int i = 0; i < 20 * 5; i++)
    if (!isfinite (self.logits[i]))
      self.dz[i] = 0;
  find_offset (&self, 2);
  goban_change_bias_backward (self.dlogits, self.dz, self.z, self.current, self.N, self.A);
  for (int i = 0; i < 20 * 5; i++)
    if (!isfinite (self.logits[i]) || i % 5 == (int) self.current[i / 5])
      g_assert_cmpfloat (self.dlogits[i], ==, 0);
    else
      g_assert_true (isfinite (self.dlogits[i]));
}

/* Adding a number to all logits changes nothing, and no gradient asks for it. */
static void
test_common_shift (void)
{
  static const int sizes[][2] = { { 16, 2 }, { 100, 4 }, { 300, 16 } };

  for (gsize k = 0; k < G_N_ELEMENTS (sizes); k++)
    {
      gsize size = (gsize) sizes[k][0] * sizes[k][1];
      g_auto (Case) self = new_case (sizes[k][0], sizes[k][1], 0.2, k);
      g_autofree float *before = NULL;
      double sum = 0, all = 0;

      for (gsize i = 0; i < size; i++)
        if (!isfinite (self.logits[i]))
          self.dz[i] = 0;
      find_offset (&self, 2);
      before = g_memdup2 (self.z, size * sizeof *before);
      goban_change_bias_backward (self.dlogits, self.dz, self.z, self.current, self.N, self.A);
      for (gsize i = 0; i < size; i++)
        {
          sum += (double) self.dlogits[i];
          all += fabs ((double) self.dlogits[i]);
          self.logits[i] += 64;
        }
      g_assert_cmpfloat (all, >, 1);
      g_assert_cmpfloat (fabs (sum), <, 1e-5 * all);
      find_offset (&self, 2);
      for (gsize i = 0; i < size; i++)
        if (isfinite (before[i]))
          g_assert_cmpfloat_with_epsilon (self.z[i], before[i], 1e-4);
    }
}

TEST_PROGRAM (change_bias)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/change-bias/as-many-as-wanted", test_wanted);
  g_test_add_func ("/rl/change-bias/as-many-with-masks", test_masked);
  g_test_add_func ("/rl/change-bias/half-of-few", test_too_many);
  g_test_add_func ("/rl/change-bias/half-of-those-that-can", test_some_cannot);
  g_test_add_func ("/rl/change-bias/nothing-to-change", test_nothing_to_change);
  g_test_add_func ("/rl/change-bias/extreme-logits", test_extreme);
  g_test_add_func ("/rl/change-bias/current-is-zero", test_current_is_zero);
  g_test_add_func ("/rl/change-bias/backward", test_backward);
  g_test_add_func ("/rl/change-bias/backward-masked", test_backward_masked);
  g_test_add_func ("/rl/change-bias/common-shift", test_common_shift);
  return g_test_run ();
}
