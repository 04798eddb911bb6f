#include "engine/core/time-left.h"
#include "tests/support/test-program.h"

#include <math.h>

static void
test_words (void)
{
  static const struct
  {
    double seconds;
    const char *words;
  } cases[] = {
    { 0, "0 s left" },          { 0.6, "1 s left" },
    { 89, "89 s left" },        { 90, "2 min left" },
    { 3600, "60 min left" },    { 5400, "1 h 30 min left" },
    { 7500, "2 h 5 min left" }, { 1e300, "277777777 h 47 min left" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char text[GOBAN_TIME_LEFT_LEN];

      g_assert_cmpstr (goban_format_time_left (text, cases[i].seconds), ==, cases[i].words);
    }
}

/* A minute of work, told ten times a second from an eighth of it on, and then other work. */
static void
test_pace (void)
{
  const gint64 start_us = 5 * G_USEC_PER_SEC;
  GobanPace pace = { 0 };

  g_assert_true (isnan (goban_pace_step (&pace, -1, start_us)));
  for (guint i = 0; i <= 600; i++)
    {
      double left_s
          = goban_pace_step (&pace, 0.125 + 0.875 * i / 600, start_us + i * G_USEC_PER_SEC / 10);

      if (i < 10)
        g_assert_true (isnan (left_s));
      else
        g_assert_cmpfloat_with_epsilon (left_s, 60 - i / 10.0, 1e-6);
    }
  g_assert_true (isnan (goban_pace_step (&pace, 0, start_us + 61 * G_USEC_PER_SEC)));
  /* A day's work: three seconds tell. */
  g_assert_true (isnan (goban_pace_step (&pace, 2.0 / 86400, start_us + 63 * G_USEC_PER_SEC)));
  g_assert_cmpfloat_with_epsilon (
      goban_pace_step (&pace, 4.0 / 86400, start_us + 65 * G_USEC_PER_SEC), 86396, 1e-6);
}

TEST_PROGRAM (time_left)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/time-left/words", test_words);
  g_test_add_func ("/base/time-left/pace", test_pace);
  return g_test_run ();
}
