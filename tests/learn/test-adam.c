/* test-adam.c: the optimiser against its formulas, its clipping, and gradients that are no
 * numbers. */
#include "engine/core/error.h"
#include "engine/learn/nn/params.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

static GobanParams *
new_params (void)
{
  GobanParams *params = goban_params_new ("toy");
  GobanRng rng;

  goban_rng_init (&rng, 1);
  goban_params_add (params, "first", 2, 3, GOBAN_INIT_GLOROT);
  goban_params_add (params, "second", 1, 1, GOBAN_INIT_ONES);
  goban_params_finish (params, &rng);
  return params;
}

/* Three steps of one number, by the formulas in double. */
static void
test_closed_form (void)
{
  g_autoptr (GobanParams) params = new_params ();
  g_autoptr (GError) error = NULL;
  GobanAdam adam = goban_adam_new (0.1);
  double w = 1, m = 0, v = 0;

  for (int t = 1; t <= 3; t++)
    {
      double g = 0.3 * t - 0.5, norm;

      goban_params_zero_grad (params);
      *goban_params_grad (params, 1) = (float) g;
      goban_adam_step (&adam, params, &norm, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat_with_epsilon (norm, fabs (g), 1e-6);

      m = 0.9 * m + 0.1 * g;
      v = 0.999 * v + 0.001 * g * g;
      w -= 0.1 * (m / (1 - pow (0.9, t))) / (sqrt (v / (1 - pow (0.999, t))) + 1e-8);
      g_assert_cmpfloat_with_epsilon ((double) *goban_params_value (params, 1), w, 1e-5);
    }
  g_assert_cmpuint (params->n_steps, ==, 3);
}

static void
test_clips_the_whole (void)
{
  g_autoptr (GobanParams) params = new_params ();
  g_autoptr (GError) error = NULL;
  GobanAdam adam = goban_adam_new (0.1);
  double norm;

  adam.clip_norm = 1;
  goban_params_grad (params, 0)[2] = 3;
  goban_params_grad (params, 1)[0] = 4;
  goban_adam_step (&adam, params, &norm, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (norm, ==, 5);
  g_assert_cmpfloat_with_epsilon (goban_params_mean (params, 0)[2], 0.1f * 3 / 5, 1e-6f);
  g_assert_cmpfloat_with_epsilon (goban_params_mean (params, 1)[0], 0.1f * 4 / 5, 1e-6f);
}

static void
test_decay (void)
{
  g_autoptr (GobanParams) params = new_params ();
  g_autoptr (GError) error = NULL;
  GobanAdam adam = goban_adam_new (0.1);

  adam.weight_decay = 0.5;
  goban_adam_step (&adam, params, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (*goban_params_value (params, 1), 0.95f, 1e-6f);
}

static void
test_non_finite_is_named (void)
{
  const float bad[] = { NAN, INFINITY, -INFINITY };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GobanParams) params = new_params ();
      g_autoptr (GError) error = NULL;
      GobanAdam adam = goban_adam_new (0.1);

      goban_params_grad (params, 0)[0] = 1;
      goban_params_grad (params, 1)[0] = bad[i];
      g_assert_false (goban_adam_step (&adam, params, NULL, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, "“second”"));
      g_assert_cmpfloat (*goban_params_value (params, 1), ==, 1);
      g_assert_cmpfloat (*goban_params_mean (params, 0), ==, 0);
      g_assert_cmpuint (params->n_steps, ==, 0);
    }
}

/* The sum of (w - target)^2 goes to its least. */
static void
test_finds_the_least (void)
{
  g_autoptr (GobanParams) params = new_params ();
  g_autoptr (GError) error = NULL;
  GobanAdam adam = goban_adam_new (0.05);

  for (int step = 0; step < 400; step++)
    {
      goban_params_zero_grad (params);
      for (int i = 0; i < 6; i++)
        goban_params_grad (params, 0)[i] = 2 * (goban_params_value (params, 0)[i] - (float) i);
      goban_adam_step (&adam, params, NULL, &error);
      g_assert_no_error (error);
    }
  for (int i = 0; i < 6; i++)
    g_assert_cmpfloat_with_epsilon (goban_params_value (params, 0)[i], (float) i, 0.01f);
}

/* Tensors from the first slow one on move by their share of the rate, the others as before. */
static void
test_slow (void)
{
  GobanParams *params = goban_params_new ("toy");
  GobanAdam adam = goban_adam_new (0.1);
  GobanRng rng;

  goban_rng_init (&rng, 1);
  for (guint t = 0; t < 2; t++)
    goban_params_add (params, t == 0 ? "a" : "b", 1, 1, GOBAN_INIT_ZEROS);
  goban_params_finish (params, &rng);
  for (guint t = 0; t < 2; t++)
    goban_params_grad (params, t)[0] = 3;
  adam.first_slow = 1;
  adam.slow_share = 0.25;
  g_assert_true (goban_adam_step (&adam, params, NULL, NULL));
  g_assert_cmpfloat_with_epsilon (goban_params_value (params, 0)[0], -0.1, 1e-6);
  g_assert_cmpfloat_with_epsilon (goban_params_value (params, 1)[0], -0.025, 1e-6);
  goban_params_free (params);
}

TEST_PROGRAM (adam)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/adam/closed-form", test_closed_form);
  g_test_add_func ("/adam/clips-the-whole", test_clips_the_whole);
  g_test_add_func ("/adam/decay", test_decay);
  g_test_add_func ("/adam/slow-tensors", test_slow);
  g_test_add_func ("/adam/non-finite-is-named", test_non_finite_is_named);
  g_test_add_func ("/adam/finds-the-least", test_finds_the_least);
  return g_test_run ();
}
