/* test-collapse.c: what is called a collapse, and that good runs are none. */
#include "engine/learn/rl/collapse.h"
#include "tests/support/test-program.h"

#include <string.h>

#define N 50

static void
fill (GobanCollapseSign *signs, double entropy, double top_share)
{
  for (guint i = 0; i < N; i++)
    signs[i] = (GobanCollapseSign){ entropy, top_share };
}

static void
test_healthy (void)
{
  GobanCollapseSign signs[N];

  fill (signs, 0.3, 0.5);
  g_assert_null (goban_collapse_describe (signs, N));
  fill (signs, 0, 1);
  g_assert_null (goban_collapse_describe (signs, GOBAN_COLLAPSE_WINDOW - 1));
}

/* One update that uses another device is enough to be none. */
static void
test_one_device (void)
{
  GobanCollapseSign signs[N];

  fill (signs, 0.3, 1);
  g_assert_nonnull (strstr (goban_collapse_describe (signs, N), "one device"));
  signs[N - GOBAN_COLLAPSE_WINDOW].top_share = 0.7;
  g_assert_null (goban_collapse_describe (signs, N));
  signs[N - GOBAN_COLLAPSE_WINDOW].top_share = 1;
  signs[N - GOBAN_COLLAPSE_WINDOW - 1].top_share = 0.7;
  g_assert_nonnull (goban_collapse_describe (signs, N));
}

/* Entropy is a mean: some problems have one good plan. */
static void
test_no_chance (void)
{
  GobanCollapseSign signs[N];

  fill (signs, 1e-5, 0.5);
  g_assert_nonnull (strstr (goban_collapse_describe (signs, N), "nothing is left to chance"));
  signs[N - 1].entropy = 0.5;
  g_assert_null (goban_collapse_describe (signs, N));
}

/* A regression that only repeats the mean of its targets has learned nothing. */
static void
test_regression (void)
{
  double errors[N], constant_errors[N];

  for (guint i = 0; i < N; i++)
    {
      errors[i] = 1.0;
      constant_errors[i] = 0.9;
    }
  g_assert_nonnull (strstr (goban_collapse_describe_errors (errors, constant_errors, N), "mean"));
  g_assert_null (
      goban_collapse_describe_errors (errors, constant_errors, GOBAN_COLLAPSE_WINDOW - 1));
  for (guint i = N - GOBAN_COLLAPSE_WINDOW; i < N; i++)
    errors[i] = i % 2 == 0 ? 1.0 : 0.7;
  g_assert_null (goban_collapse_describe_errors (errors, constant_errors, N));
}

TEST_PROGRAM (collapse)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/collapse/healthy", test_healthy);
  g_test_add_func ("/rl/collapse/one-device", test_one_device);
  g_test_add_func ("/rl/collapse/no-chance", test_no_chance);
  g_test_add_func ("/rl/collapse/regression", test_regression);
  return g_test_run ();
}
